import type { NodePlan } from '../nodes/node-plan.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { type MarkdownLabels, planBlocks } from './plan-blocks.ts';

/** Where blocks are shown. */
export interface BlockSink {
  /** Keeps the first `kept` blocks and shows `blocks` after them. */
  replaceFrom(kept: number, blocks: readonly NodePlan[]): void;
}

/**
 * A reply while it grows. A block that is followed by another one is finished: it is shown once and not read again; only
 * the last one is built anew. At the end the whole text is read once more, because a definition or a list can change what
 * stood before it, and what was shown is replaced if it differs.
 */
export class StreamingMarkdown {
  readonly #sink: BlockSink;
  readonly #labels: MarkdownLabels;
  /** Raw text of each finished block that shows something. */
  #finished: string[] = [];
  #finishedLength = 0;

  constructor(sink: BlockSink, labels: MarkdownLabels) {
    this.#sink = sink;
    this.#labels = labels;
  }

  /** Shows the text so far. */
  update(text: string): void {
    const { tokens } = parseMarkdown(normalise(text).slice(this.#finishedLength));
    const lastShown = tokens.findLastIndex((token) => token.type !== 'space');
    const finished = tokens.slice(0, Math.max(lastShown, 0));
    const kept = this.#finished.length;
    const blocks: NodePlan[] = [];
    for (const token of finished) {
      this.#finishedLength += token.raw.length;
      for (const block of planBlocks([token], this.#labels)) {
        blocks.push(block);
        this.#finished.push(token.raw);
      }
    }
    blocks.push(...planBlocks(tokens.slice(finished.length), this.#labels));
    this.#sink.replaceFrom(kept, blocks);
  }

  /** Shows the whole text for good. */
  complete(text: string): void {
    const { tokens, hasDefinitions } = parseMarkdown(text);
    const shown = tokens.filter((token) => planBlocks([token], this.#labels).length > 0);
    const isSame =
      !hasDefinitions &&
      this.#finished.length <= shown.length &&
      this.#finished.every((raw, index) => raw === shown[index]?.raw);
    const kept = isSame ? this.#finished.length : 0;
    this.#sink.replaceFrom(kept, planBlocks(shown.slice(kept), this.#labels));
    this.#finished = shown.map((token) => token.raw);
    this.#finishedLength = normalise(text).length;
  }
}

/** The lexer reads every line end as one character, and lengths are counted in what it reads. */
function normalise(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
