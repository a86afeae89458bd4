import type { StepRecord } from './step-record.ts';
import type { TurnEvents } from './turn-events.ts';

/** Characters that are told at a time. */
const pieceLength = 8_000;

/**
 * Says a text as a paragraph of its own, once, whichever process of the turn does so. `agent` says it; left out, the coordinator does.
 * Resolves with the text that was said.
 */
export function sayText(
  { record, events }: { readonly record: StepRecord; readonly events: TurnEvents },
  key: string,
  said: { readonly text: string; readonly agent?: string | undefined },
): Promise<string> {
  return record.step(key, () => {
    tellText(events, key, said);
    return Promise.resolve(said.text);
  });
}

/** Tells a text as a paragraph of its own. MUST be called inside the step `key`, which says that the text was told. */
export function tellText(
  events: TurnEvents,
  key: string,
  { text, agent }: { readonly text: string; readonly agent?: string | undefined },
): void {
  const say = events.speak(key, agent);
  for (const piece of piecesOf(text)) {
    say(JSON.stringify(piece).slice(1, -1));
    events.flush();
  }
  events.settle();
}

/** No character is cut in two. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + pieceLength;
    const to = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
