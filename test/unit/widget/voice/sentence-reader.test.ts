import { describe, expect, it } from 'vitest';
import { planBlocks } from '../../../../src/widget/markdown/plan-blocks.ts';
import { readBlocks } from '../../../../src/widget/markdown/read-blocks.ts';
import { SentenceReader } from '../../../../src/widget/voice/sentence-reader.ts';

const parser = { readBlocks, planBlocks };

/** The sentences that are spoken of a reply that comes in these pieces. Null stands for a replaced text. */
function said(pieces: readonly string[], locale = 'en'): (string | null)[] {
  const reader = new SentenceReader(parser, locale);
  let text = '';
  const read = (isComplete: boolean): readonly (string | null)[] => reader.read(text, isComplete) ?? [null];
  const sentences = pieces.flatMap((piece) => {
    text += piece;
    return read(false);
  });
  return [...sentences, ...read(true)];
}

describe('what is read aloud of a reply (contract/widget.md#voice, VoiceStreaming)', () => {
  it('comes a sentence at a time, each once, and the last one with the end', () => {
    const reader = new SentenceReader(parser, 'en');
    expect(reader.read('Your order', false)).toEqual([]);
    expect(reader.read('Your order is open. It', false)).toEqual(['Your order is open.']);
    expect(reader.read('Your order is open. It costs 3', false)).toEqual([]);
    expect(reader.read('Your order is open. It costs 3.50', false)).toEqual([]);
    expect(reader.read('Your order is open. It costs 3.50', true)).toEqual(['It costs 3.50']);
    expect(reader.read('Your order is open. It costs 3.50', true)).toEqual([]);
  });

  it.each([
    [
      'headings, emphasis and links are their words',
      ['# A *b*\n\n', 'See [the list](https://x.test/a).'],
      ['A b', 'See the list.'],
    ],
    [
      'code is left out, what stands in a line is not',
      ['Run `ls`:\n\n```sh\n', 'rm -rf .\n```\n\nDone.'],
      ['Run ls:', 'Done.'],
    ],
    ['each item of a list is a sentence', ['- One\n', '- Two', '\n- Three'], ['One', 'Two', 'Three']],
    ['each row of a table too', ['| A | B |\n|---|---|\n', '| 1 | 2 |\n'], ['A, B', '1, 2']],
    ['what has no word is not said', ['---\n\n', '🎉\n\n', 'Yes!'], ['Yes!']],
    ['images are their text, and never fetched', ['![A cat](https://x.test/cat.png) sits.'], ['A cat sits.']],
  ])('%s', (_title, pieces, expected) => {
    expect(said(pieces)).toEqual(expected);
  });

  it('ends sentences as the language does', () => {
    expect(said(['注文は', '未処理です。明日', '届きます。'], 'ja')).toEqual(['注文は未処理です。', '明日届きます。']);
  });

  it('says the same whatever the pieces: character by character as in one', () => {
    const reply = 'First. **Second one**, with 2.5 kg.\n\n1. A. B.\n2. C\n\n> Quoted text! Really?\n\nEnd';
    expect(said(Array.from(reply))).toEqual(said([reply]));
  });

  it('begins anew when the text was replaced (contract/events.md)', () => {
    const reader = new SentenceReader(parser, 'en');
    reader.read('Secret. More', false);
    expect(reader.read('This was withheld.', true)).toBeNull();
  });
});
