import type { RecordedEvent } from '../events/turn-event.ts';

/** Writes the text events of one turn. The part that all of them share is written once. */
export class TextEventWriter {
  /** The beginning of every event of the turn, up to its number. */
  readonly head: string;
  readonly #tail: string;

  constructor(turnId: string, agent: string) {
    this.head = `{"turnId":${JSON.stringify(turnId)},"seq":`;
    this.#tail = `","agent":${JSON.stringify(agent)}}`;
  }

  /** `escaped` is JSON-escaped. */
  write(seq: number, escaped: string): RecordedEvent {
    return { seq, type: 'text-delta', json: `${this.head}${String(seq)},"text":"${escaped}${this.#tail}` };
  }
}
