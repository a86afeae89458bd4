import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf, saidIn } from '../../../../src/core/knowledge/excerpt.ts';

const passageOf = (content: string, said: string): string => {
  const { text, from, to } = excerptOf(content, said);
  return text.slice(from, to);
};

describe('the excerpt of a document (contract/knowledge.md#citations)', () => {
  // proves wire-22-40
  it.each([
    [
      'the sentence that shares the most words with the reply',
      'We like our customers. Goods can be sent back within 30 days. Use the label.',
      'You can send it back within 30 days.',
      'Goods can be sent back within 30 days.',
    ],
    ['a line', 'Opening hours\nMonday to Friday, 9 to 5\nClosed on Sunday', 'Closed on Sunday', 'Closed on Sunday'],
    ['words without spaces', '返品は30日以内です。送料は無料です。', '30日以内に返品できます', '返品は30日以内です。'],
    ['nothing, where nothing is shared', 'Parcels take two days.', 'Hello', ''],
    ['nothing of an empty document', '', 'Hello', ''],
  ])('marks %s', (_what, content, said, passage) => {
    expect(passageOf(content, said)).toBe(passage);
  });

  it('does not take a word that stands everywhere for a sign', () => {
    const content = 'The order is open. The order is late. The order was sent to Oslo.';
    expect(passageOf(content, 'The order went to Oslo.')).toBe('The order was sent to Oslo.');
  });

  // proves wire-22-40
  it('is a part of the document of at most 600 characters, whatever stands in it', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 3000 });
    const words = fc.array(fc.constantFrom('one', 'two.', '三四', '\n', '🙂', 'x'.repeat(700)), { maxLength: 200 });
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          words.map((all) => all.join(' ')),
        ),
        texts,
        (content, said) => {
          const { text, from, to } = excerptOf(content, said);
          expect(text.length).toBeLessThanOrEqual(600);
          expect(content).toContain(text);
          expect(0 <= from && from <= to && to <= text.length).toBe(true);
        },
      ),
    );
  });

  it('cuts no character in two', () => {
    const smiles = '🙂'.repeat(2000);
    for (const content of [smiles, `x${smiles}`]) {
      expect(excerptOf(content, 'nothing').text.isWellFormed()).toBe(true);
      expect(excerptOf(`${content} word ${content}`, 'word').text.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['the sentence that cites it', 'It is open [1]. It is late [2].', 2, 'It is late [2].'],
    ['the sentence before a citation that stands alone', 'It is open.\n[1]', 1, 'It is open.\n[1]'],
    ['one of several numbers', 'Both say so [1, 3]. Hello.', 3, 'Both say so [1, 3].'],
    ['all of a reply that cites nothing', 'It is open. It is late.', 1, 'It is open. It is late.'],
  ])('goes by %s', (_what, reply, number, said) => {
    expect(saidIn(reply)(number)).toBe(said);
  });
});
