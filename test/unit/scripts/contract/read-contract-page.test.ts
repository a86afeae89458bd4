import { describe, expect, it } from 'vitest';
import { readContractPage } from '../../../../scripts/contract/read-contract-page.ts';

describe('readContractPage', () => {
  it('reads items over several lines, and several ids of one', () => {
    const markdown =
      '# Page\n\n> Text.\n\n- First of\n  two lines. `wire-1-01`\n- Second. `wire-1-02` `service-2.6-03`\n\nThird\nat last. `wire-1-03`\n';
    expect(readContractPage('hub.md', markdown)).toEqual({
      statements: [
        { id: 'wire-1-01', page: 'hub.md', line: 5, text: 'First of two lines.' },
        { id: 'wire-1-02', page: 'hub.md', line: 7, text: 'Second.' },
        { id: 'service-2.6-03', page: 'hub.md', line: 7, text: 'Second.' },
        { id: 'wire-1-03', page: 'hub.md', line: 9, text: 'Third at last.' },
      ],
      withoutId: [],
    });
  });

  it('finds items without an id, whatever kind of list they stand in, and none in code', () => {
    const markdown =
      '- Promised.\n* `wire-1-01` at the wrong end\n1. Counted.\n\n```yaml\n- code\n```\n\nSaid\nin a paragraph.\n';
    expect(readContractPage('hub.md', markdown)).toEqual({
      statements: [],
      withoutId: [
        { page: 'hub.md', line: 1, text: 'Promised.' },
        { page: 'hub.md', line: 2, text: '`wire-1-01` at the wrong end' },
        { page: 'hub.md', line: 3, text: 'Counted.' },
        { page: 'hub.md', line: 9, text: 'Said in a paragraph.' },
      ],
    });
  });

  it.each([
    ['code without an end', '```yaml\nfirst: true\n\n- Promised.\n', 'code without an end'],
    ['code on one line', '```yaml``` and a promise\n', '```yaml``` and a promise'],
    ['another sign behind a number', '1) Promised.\n', 'Promised.'],
    ['a number sign that begins no heading', '#1 is promised.\n', '#1 is promised.'],
    ['a line right below a table', '- This table is whole. `wire-1-01`\n\n| A |\n| - |\nPromised.\n', 'Promised.'],
    ['a list in a quote', '> - Promised.\n', '> - Promised.'],
    ['a table in a quote', '> | A |\n', '> | A |'],
  ])('overlooks no promise: %s', (_title, markdown, found) => {
    expect(readContractPage('hub.md', markdown).withoutId.map(({ text }) => text)).toContain(found);
  });

  it.each([
    ['right after it', '| A |\n| - |\n| 1 |\n\n- The table is whole. `wire-1-01`\n', []],
    ['right before it', '- The table is whole. `wire-1-01`\n\n| A |\n| - |\n| 1 |\n', []],
    ['after the next table', '| A |\n| - |\n\n| B |\n| - |\n\n- Both tables are. A table is. `wire-1-01`\n', []],
    ['nowhere', '| A |\n| - |\n| 1 |\n\n- Something else. `wire-1-01`\n', ['| A |']],
    ['in another section', '- This table is whole. `wire-1-01`\n\n## B\n\n| A |\n| - |\n', ['| A |']],
    ['without an id', '| A |\n| - |\n| 1 |\n\n- The table is whole.\n', ['| A |', 'The table is whole.']],
  ])('takes a table for a promise, which is stated %s', (_place, markdown, withoutId) => {
    expect(readContractPage('hub.md', markdown).withoutId.map(({ text }) => text)).toEqual(withoutId);
  });
});
