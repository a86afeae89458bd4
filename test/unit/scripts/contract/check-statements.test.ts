import { describe, expect, it } from 'vitest';
import { listFaults, statementFaults } from '../../../../scripts/contract/check-statements.ts';
import { readContractPage } from '../../../../scripts/contract/read-contract-page.ts';

const opens = '- A stream opens at once. `wire-4-03`';

describe('statementFaults, so that the gate really closes', () => {
  const proven = new Set(['wire-4-03', 'wire-4-04']);
  const faultsOf = (...texts: readonly string[]): readonly string[] =>
    statementFaults(
      texts.map((text, index) => readContractPage(`page-${String(index + 1)}.md`, text)),
      proven,
    );

  it('finds nothing wrong with what is right', () => {
    expect(faultsOf(opens, '- Something else. `wire-4-04`')).toEqual([]);
  });

  it('takes several ids of one sentence for what they are', () => {
    expect(faultsOf(`${opens} \`wire-4-04\``)).toEqual([]);
  });

  it.each([
    ['a statement that nothing proves', ['# Page\n\n- Promised. `wire-4-05`'], 'page-1.md:3: no test proves wire-4-05'],
    ['a promise without an id', [`${opens}\n- Promised.`], 'page-1.md:2: a promise without an id: Promised.'],
    ['an id that is given twice', [opens, 'Promised. `wire-4-03`'], 'page-2.md:1: wire-4-03 is given twice'],
    [
      'a sentence that stands twice',
      [opens, '- A stream opens at once. `wire-4-04`'],
      'page-2.md:1: stated twice: A stream opens at once.',
    ],
    [
      'a sentence that stands twice in a row',
      [`${opens}\n- A stream opens at once. \`wire-4-04\``],
      'page-1.md:2: stated twice: A stream opens at once.',
    ],
  ])('finds %s', (_title, texts, fault) => {
    expect(faultsOf(...texts)).toEqual([fault]);
  });
});

describe('listFaults', () => {
  const index = '| Page | Says |\n| - | - |\n| [Hub](hub.md) | methods |\n';

  it.each([
    ['nothing wrong with a whole list', ['hub.md'], []],
    ['a page that is not listed', ['hub.md', 'sse.md'], ['the first page does not list sse.md']],
    ['a page that is not there', [], ['the first page lists hub.md, which is not there']],
  ])('finds %s', (_title, pages, faults) => {
    expect(listFaults(index, pages)).toEqual(faults);
  });
});
