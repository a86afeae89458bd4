import type { EnrichModule } from '../enrich/enrich-contract.ts';
import type { Chunks } from './chunks.ts';

/** File names of chunks of this build (scripts/build-widget.ts). */
declare const CODE_CHUNK: string;
declare const MATH_CHUNK: string;

/** Draws the formulas in the box of a complete reply, and colours its code. The chunks are loaded where it has some. */
export function enrichReply(box: HTMLElement, chunks: Chunks): void {
  const parts = [
    ['.math', MATH_CHUNK],
    ['[data-language]', CODE_CHUNK],
  ] as const;
  for (const [selector, file] of parts) {
    const found = box.querySelectorAll<HTMLElement>(selector);
    if (found.length === 0) continue;
    chunks.load<EnrichModule>(file).then(
      ({ enrich }) => found.forEach((part) => enrich(part)),
      // The text stays as it was written, so nobody is told.
      () => undefined,
    );
  }
}
