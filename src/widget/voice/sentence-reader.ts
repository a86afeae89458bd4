import { type MarkdownParser, spokenBlocks } from './spoken-blocks.ts';

/** Takes a growing reply and gives its sentences, each once and as soon as it is whole. */
export class SentenceReader {
  readonly #parser: MarkdownParser;
  readonly #locale: string;
  #source = '';
  /** Characters whose blocks are said. */
  #done = 0;
  /** Sentences of the block after them that are said. */
  #said = 0;

  constructor(parser: MarkdownParser, locale: string) {
    this.#parser = parser;
    this.#locale = locale;
  }

  /** Null when the text was replaced: what was said so far does not count any more. */
  read(markdown: string, isComplete: boolean): readonly string[] | null {
    if (!markdown.startsWith(this.#source)) return null;
    const added = markdown.slice(this.#source.length);
    // Only these end a sentence or a block, so that most tokens cost nothing.
    if (!isComplete && !/[.!?…。！？:;\n]/.test(added)) return [];
    this.#source = markdown;
    return this.#whole(isComplete);
  }

  #whole(isComplete: boolean): readonly string[] {
    const blocks = spokenBlocks(this.#source.slice(this.#done), this.#parser);
    return blocks.flatMap(({ length, text }, index) => {
      const sentences = sentencesOf(text, this.#locale);
      const isOpen = !isComplete && index === blocks.length - 1;
      // The last one of an open block may go on.
      const whole = isOpen ? sentences.slice(0, -1) : sentences;
      const fresh = whole.slice(this.#said);
      if (!isOpen) this.#done += length;
      this.#said = isOpen ? Math.max(this.#said, whole.length) : 0;
      return fresh;
    });
  }
}

/** What has no letter and no digit cannot be said. */
function sentencesOf(text: string, locale: string): string[] {
  const segments = new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
