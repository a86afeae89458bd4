import type { TurnEventType } from '../events/turn-event.ts';

/** One line of what is kept of a turn, in the order in which it happened. */
export type RecordLine =
  /** A step and its value. */
  | readonly ['step', key: string, value: unknown]
  /** An event that is not text, under the key that tells it once; `json` as the event was serialised. */
  | readonly ['event', key: string, type: TurnEventType, json: string]
  /** Text events in a row, each JSON-escaped. `agent` has said them; left out, the coordinator has. */
  | readonly ['text', pieces: readonly string[], agent?: string]
  /**
   * The reply of step `key` begins to speak behind `base` characters of text (JSON-escaped). An empty key: no reply
   * speaks.
   */
  | readonly ['speaks', key: string, base: number]
  /** Numbers up to this one may have been shown. */
  | readonly ['numbers', upTo: number]
  /** Events before this number can no longer be read; their text, JSON-escaped. */
  | readonly ['from', firstSeq: number, text: string]
  /** The event of this key was shown to nobody. An empty text stands in its place. */
  | readonly ['withdrawn', key: string]
  /** A key that counts as told without an event that can be read. */
  | readonly ['told', key: string];

/** Joins lines with line breaks. The JSON of a line holds no line break, so `readLines` can split the text again. */
export function linesText(lines: readonly string[]): string {
  return lines.join('\n');
}

/** A line as text. */
export function lineText(line: RecordLine): string {
  return JSON.stringify(line);
}

/** Reads what `linesText` wrote. */
export function readLines(text: string): readonly RecordLine[] {
  return text.split('\n').map((line) => JSON.parse(line) as RecordLine); // sealed by this server
}
