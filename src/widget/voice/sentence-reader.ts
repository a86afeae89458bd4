import { type MarkdownParser, spokenBlocks } from './spoken-blocks.ts';

/** Takes a growing reply and returns its sentences. Each sentence is returned once, as soon as it is complete. */
export class SentenceReader {
  readonly #parser: MarkdownParser;
  readonly #locale: string;
  #source = '';
  /** The number of the reply's characters in blocks that were returned completely. */
  #done = 0;
  /** The number of sentences of the next block that were returned. */
  #said = 0;

  constructor(parser: MarkdownParser, locale: string) {
    this.#parser = parser;
    this.#locale = locale;
  }

  /** Returns null when the text was replaced. The sentences that were returned before are then no longer part of the reply. */
  read(markdown: string, isComplete: boolean): readonly string[] | null {
    if (!markdown.startsWith(this.#source)) return null;
    const added = markdown.slice(this.#source.length);
    // Only these characters end a sentence or a block. Other tokens are cheap.
    if (!isComplete && !/[.!?…。！？:;\n]/.test(added)) return [];
    this.#source = markdown;
    return this.#whole(isComplete);
  }

  #whole(isComplete: boolean): readonly string[] {
    const blocks = spokenBlocks(this.#source.slice(this.#done), this.#parser);
    return blocks.flatMap(({ length, text }, index) => {
      const sentences = sentencesOf(text, this.#locale);
      const isOpen = !isComplete && index === blocks.length - 1;
      // The last sentence of an open block may continue.
      const whole = isOpen ? sentences.slice(0, -1) : sentences;
      const fresh = whole.slice(this.#said);
      if (!isOpen) this.#done += length;
      this.#said = isOpen ? Math.max(this.#said, whole.length) : 0;
      return fresh;
    });
  }
}

/** The sentences of a text that have a letter or a digit. Others cannot be spoken. */
function sentencesOf(text: string, locale: string): string[] {
  const segments = new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
