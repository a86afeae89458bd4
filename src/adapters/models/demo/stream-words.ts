import { setTimeout as wait } from 'node:timers/promises';
import type { ReadFlow, ReplySink } from '../../../core/ports/chat-model.ts';

/** Sends a text word by word, and a table row by row. Waits while the reader is slow, and stops when the call is stopped. */
export async function streamWords(
  text: string,
  to: { readonly sink: ReplySink; readonly signal: AbortSignal; readonly flow: ReadFlow; readonly wordDelayMs: number },
): Promise<void> {
  for (const piece of piecesOf(text)) {
    if (to.flow.paused) await resumed(to.flow, to.signal);
    if (to.wordDelayMs > 0) await wait(to.wordDelayMs, undefined, { signal: to.signal }).catch(() => undefined);
    to.signal.throwIfAborted();
    to.sink.text(JSON.stringify(piece).slice(1, -1));
  }
}

/**
 * Splits a text into words with the space behind them, and into rows of tables. A script without spaces is split into pieces of two
 * characters.
 */
export function piecesOf(text: string): readonly string[] {
  return (
    text.match(
      /^\|.*\n?|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+\s*|\s+/gmu,
    ) ?? []
  );
}

function resumed(flow: ReadFlow, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
    flow.onResume(resolve);
  });
}
