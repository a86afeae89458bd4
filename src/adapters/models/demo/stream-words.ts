import { setTimeout as wait } from 'node:timers/promises';
import type { ReadFlow, ReplySink } from '../../../core/ports/chat-model.ts';

/** Says a text word by word (a table row at a time), not faster than the reader and not beyond a stop. */
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

/** Words with the space behind them; rows of tables; for scripts without spaces, two characters at a time. */
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
