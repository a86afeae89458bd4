import { describe, expect, it } from 'vitest';
import { SpokenText } from '../../../../src/adapters/models/spoken-text.ts';
import { CollectedText } from '../../../support/model-requests.ts';

/** A reply in pieces, and how often its whole text was looked at. */
function spoken(pieces: readonly string[], { unopened = false } = {}) {
  const sink = new CollectedText();
  const habit = { unopened };
  const whole = pieces.join('');
  const looks = { count: 0 };
  const soFar = (): string => {
    looks.count += 1;
    return whole;
  };
  const text = new SpokenText(sink, { habit, soFar });
  for (const piece of pieces) text.add(JSON.stringify(piece).slice(1, -1));
  const reply = text.end(whole, { isCut: false });
  return { reply, shown: sink.unescaped, looks: looks.count, habit };
}

const many = 100_000;

describe('looking for thoughts in a long reply (contract/models.md#thoughts)', () => {
  // proves configuration-3-97
  it.each([' think', '<think', 'think>', '</', ' `</think', '\n\n'])(
    'looks at the whole of it no more often than twice: %j',
    (piece) => {
      const { shown, looks } = spoken(['I say ', ...Array.from({ length: many }, () => piece)]);
      expect(shown).toBe(`I say ${piece.repeat(many)}`);
      expect(looks).toBeLessThanOrEqual(2);
    },
  );

  // proves configuration-3-97
  it.each([
    ['white space alone', '\n \t', false],
    ['a text that may be a thought', ' thought', true],
    ['a text that speaks of the tag', ' `</think>`', true],
  ])('reads each piece once before the answer begins: %s', (_title, piece, unopened) => {
    const { reply, shown, habit } = spoken(
      Array.from({ length: many }, () => piece),
      { unopened },
    );
    expect(shown).toBe(piece.repeat(many));
    expect(reply).toBe(shown);
    expect(habit.unopened).toBe(false);
  });

  // proves configuration-3-86
  it('finds the end of a thought whose tag comes in three pieces', () => {
    const { reply, habit, looks } = spoken(['plan', '.\n</', 'think', '>', '\n\nHello ', 'you!']);
    expect(reply).toBe('Hello you!');
    expect(habit.unopened).toBe(true);
    expect(looks).toBe(1);
  });
});
