import type { RecordedEvent } from '../events/turn-event.ts';

/** Writes the text events of one turn. The parts that they share are written once. */
export class TextEventWriter {
  /** The beginning of every event of the turn, up to its number. */
  readonly head: string;
  #agent: string | undefined;
  #tail = '';

  constructor(turnId: string) {
    this.head = `{"turnId":${JSON.stringify(turnId)},"seq":`;
  }

  /** `escaped` is JSON-escaped. */
  write(seq: number, escaped: string, agent: string): RecordedEvent {
    if (agent !== this.#agent) {
      this.#agent = agent;
      this.#tail = `","agent":${JSON.stringify(agent)}}`;
    }
    return { seq, type: 'text-delta', json: `${this.head}${String(seq)},"text":"${escaped}${this.#tail}` };
  }
}

/** A text that was JSON-escaped, as it was before. */
export function unescaped(text: string): string {
  return text === '' ? '' : String(JSON.parse(`"${text}"`));
}
