import type { NodePlan } from '../nodes/node-plan.ts';
import type { LinkRules } from '../nodes/plan-link.ts';
import { type MarkdownLabels, planBlocks } from './plan-blocks.ts';
import { normaliseLines, readBlocks } from './read-blocks.ts';

/** Where blocks are shown. */
export interface BlockSink {
  /** Keeps the first `kept` blocks and shows `blocks` after them. */
  replaceFrom(kept: number, blocks: readonly NodePlan[]): void;
}

/**
 * A reply while it grows. A block with another block after it is finished: it is drawn once and not read again. Only the last block is
 * drawn anew. At the end the whole text is read once more, because a definition or a list can change earlier blocks. Blocks that differ
 * are replaced.
 */
export class StreamingMarkdown {
  readonly #sink: BlockSink;
  readonly #labels: MarkdownLabels;
  /** Raw text of each finished block. */
  #finished: string[] = [];
  #finishedLength = 0;
  /** The depths of the headings above the text after the finished blocks; see `planBlocks`. */
  #above: number[] = [];

  constructor(sink: BlockSink, labels: MarkdownLabels) {
    this.#sink = sink;
    this.#labels = labels;
  }

  /** Shows the text so far. */
  update(text: string): void {
    const { blocks, definitions } = readBlocks(normaliseLines(text).slice(this.#finishedLength));
    const kept = this.#finished.length;
    const done = blocks.slice(0, -1);
    for (const { raw } of done) {
      this.#finished.push(raw);
      this.#finishedLength += raw.length;
    }
    this.#sink.replaceFrom(kept, [
      ...planBlocks({ blocks: done, definitions }, this.#labels, { above: this.#above }),
      ...planBlocks({ blocks: blocks.slice(-1), definitions }, this.#labels, { above: [...this.#above] }),
    ]);
  }

  /** Shows the whole text for good. Its links may also lead to the `cited` addresses. These are not known while the text grows. */
  complete(text: string, cited?: LinkRules['cited']): void {
    const { blocks, definitions } = readBlocks(text);
    const raws = blocks.map(({ raw }) => raw);
    const isSame =
      definitions.size === 0 && cited === undefined && this.#finished.every((raw, index) => raw === raws[index]);
    if (!isSame) this.#above = [];
    const kept = isSame ? this.#finished.length : 0;
    const labels = cited === undefined ? this.#labels : { ...this.#labels, links: { ...this.#labels.links, cited } };
    const rest = { blocks: blocks.slice(kept), definitions };
    this.#sink.replaceFrom(kept, planBlocks(rest, labels, { above: this.#above, notes: [] }));
    this.#finished = raws;
    this.#finishedLength = raws.join('').length;
  }
}
