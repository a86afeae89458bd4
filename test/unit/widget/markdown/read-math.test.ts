import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import { outline } from './plan-text.ts';

const draw = (text: string): string => planMarkdown(text, { table: '', code: '' }).map(outline).join('');
const math = (source: string): string => `<code class="math">${source}</code>`;
const display = (source: string): string => `<code class="math is-display">${source}</code>`;

describe('formulas in a reply (contract/widget.md#replies)', () => {
  // proves wire-21-31
  it.each([
    [String.raw`The sum \(a_1 + b_2\) is`, `<p>The sum ${math('a_1 + b_2')} is</p>`],
    [String.raw`\( x \)`, `<p>${math('x')}</p>`],
    ['$x$ and $x^2 + *y*$.', `<p>${math('x')} and ${math('x^2 + *y*')}.</p>`],
    [String.raw`$\frac{1}{2}$`, `<p>${math(String.raw`\frac{1}{2}`)}</p>`],
    ['$$\nE = mc^2\n$$', `<p>${display('E = mc^2')}</p>`],
    [String.raw`\[ a \le b \]`, `<p>${display(String.raw`a \le b`)}</p>`],
    ['**$a=b$**', `<p><strong>${math('a=b')}</strong></p>`],
  ])('%j is one', (text, expected) => {
    expect(draw(text)).toBe(expected);
  });

  // proves wire-21-31
  it.each([
    ['It costs $5 and $7.', '<p>It costs $5 and $7.</p>'],
    ['from $5/month to 10$.', '<p>from $5/month to 10$.</p>'],
    ['$HOME/bin:$PATH', '<p>$HOME/bin:$PATH</p>'],
    ['$a/$b', '<p>$a/$b</p>'],
    ['US$5-US$10', '<p>US$5-US$10</p>'],
    [String.raw`\(\)`, '<p>()</p>'],
    [String.raw`\[see below\]`, '<p>[see below]</p>'],
    [String.raw`a \( b`, '<p>a ( b</p>'],
    ['`$x^2$`', '<p><code>$x^2$</code></p>'],
    ['$', '<p>$</p>'],
  ])('%j is none', (text, expected) => {
    expect(draw(text)).toBe(expected);
  });

  it('costs no more than its length, however many begin', () => {
    const text = String.raw`\(`.repeat(20_000) + '$ '.repeat(20_000);
    expect(draw(text)).not.toContain('math');
  });
});
