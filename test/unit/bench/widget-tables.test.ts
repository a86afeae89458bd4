import { describe, expect, it } from 'vitest';
import { replyOf } from '../../bench/widgets/reply-text.ts';
import { impacts, spread } from '../../bench/widgets/widget-tables.ts';

describe('the figures of docs/reference/widget-comparison.md', () => {
  it.each([
    ['the middle one of an odd number, between the least and the most', [3, 1, 2], '2.0 (1.0–3.0)'],
    ['half-way between the two in the middle of an even number', [1, 2, 3, 4], '2.5 (1.0–4.0)'],
    ['one figure alone where all rounds agree as shown', [1.01, 1.02, 1.04], '1.0'],
    ['thousands apart', [1234.5], '1,234.5'],
    ['a dash where nothing was measured', [], '–'],
  ])('a figure is %s', (_title, values, shown) => {
    expect(spread(values, 1)).toBe(shown);
  });

  it('violations of axe are told by impact, the worst first, with the names of their rules', () => {
    const found = [
      { rule: 'heading-order', impact: 'moderate' },
      { rule: 'color-contrast', impact: 'serious' },
      { rule: 'list', impact: 'serious' },
    ];
    expect(impacts(found)).toBe('2 serious (color-contrast, list), 1 moderate (heading-order)');
    expect(impacts([])).toBe('none');
  });
});

describe('the reply that every widget gets', () => {
  it.each([400, 4000])('has exactly %i tokens of at most six characters without the space before them', (count) => {
    const tokens = replyOf(count);
    expect(tokens).toHaveLength(count);
    expect(tokens.filter((token) => token.trim().length > 6)).toEqual([]);
  });

  it('ends with its last word, which stands nowhere else, and has a table and code', () => {
    const text = replyOf(400).join('');
    expect(text.match(/Zanzibar\./g)).toHaveLength(1);
    expect(text).toMatch(/Zanzibar\.$/);
    expect(text).toContain('\n| --- | --- | --- |\n');
    expect(text).toMatch(/\n```js\n[^`]+\n```\n/);
  });
});
