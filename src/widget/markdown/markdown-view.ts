import { createNode } from '../nodes/create-node.ts';
import type { NodePlan } from '../nodes/node-plan.ts';
import type { LinkRules } from '../nodes/plan-link.ts';
import { flushInterval } from './flush-interval.ts';
import type { MarkdownLabels } from './plan-blocks.ts';
import { StreamingMarkdown } from './streaming-markdown.ts';

/** Draws one reply into a box. A complete reply is drawn at once, a growing one at intervals. */
export class MarkdownView {
  readonly #box: HTMLElement;
  readonly #markdown: StreamingMarkdown;
  #text = '';
  #drawnLength = 0;
  #lastCost = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;

  constructor(box: HTMLElement, labels: MarkdownLabels) {
    this.#box = box;
    this.#markdown = new StreamingMarkdown({ replaceFrom: (kept, blocks) => this.#replaceFrom(kept, blocks) }, labels);
  }

  /** `cited` has the addresses of the documents that a complete reply goes by. */
  show(text: string, isComplete: boolean, cited?: LinkRules['cited']): void {
    this.#text = text;
    if (isComplete) {
      this.stop();
      this.#markdown.complete(text, cited);
    } else if (this.#timer === null && this.#frame === null) {
      this.#timer = setTimeout(() => this.#schedule(), flushInterval(this.#lastCost, text.length - this.#drawnLength));
    }
  }

  /** Drops the scheduled drawing. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#timer = null;
    this.#frame = null;
  }

  /** Schedules the next drawing. A hidden page gets no frames, so nothing is drawn there until somebody looks again. */
  #schedule(): void {
    this.#timer = null;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      const start = performance.now();
      this.#markdown.update(this.#text);
      this.#lastCost = performance.now() - start;
      this.#drawnLength = this.#text.length;
    });
  }

  #replaceFrom(kept: number, blocks: readonly NodePlan[]): void {
    while (this.#box.childNodes.length > kept) this.#box.lastChild?.remove();
    this.#box.append(...blocks.map(createNode));
  }
}
