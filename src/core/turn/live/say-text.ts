import type { LiveTurn } from './live-turn.ts';

/** Characters that are told at a time. */
const pieceLength = 8_000;

/** Says a text as a paragraph of its own, once, whichever process of the turn does so. Resolves with the text that was said. */
export function sayText({ record, events }: LiveTurn, key: string, text: string): Promise<string> {
  return record.step(key, () => {
    const say = events.speak(key);
    for (const piece of piecesOf(text)) {
      say(JSON.stringify(piece).slice(1, -1));
      events.flush();
    }
    events.settle();
    return Promise.resolve(text);
  });
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
