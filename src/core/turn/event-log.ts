import type { RecordedEvent, TurnEvent } from './turn-event.ts';
import { TextLog } from './text-log.ts';

export interface EventLogOptions {
  readonly turnId: string;
  /** Who speaks (wire.md 2, `agent`). */
  readonly agent: string;
  /** Characters kept for resuming. */
  readonly maxLength: number;
}

/**
 * The numbered events of a turn, serialised once, and kept for resuming (wire.md 2 and 4). Events that are text are kept
 * as text alone and written out again for whoever resumes; over `maxLength` the oldest can no longer be read.
 */
export class EventLog {
  readonly #head: string;
  readonly #textTail: string;
  readonly #maxLength: number;
  readonly #texts = new TextLog();
  /** The readable events that are not text. */
  #others: RecordedEvent[] = [];
  #lastSeq = 0;
  #firstSeq = 1;
  /** Pieces of text before this one belong to events that can no longer be read. */
  #firstText = 0;
  #length = 0;

  constructor(options: EventLogOptions) {
    this.#head = `{"turnId":${JSON.stringify(options.turnId)},"seq":`;
    this.#textTail = `","agent":${JSON.stringify(options.agent)}}`;
    this.#maxLength = options.maxLength;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Characters held for resuming; what the limit over all turns is counted by. */
  get length(): number {
    return this.#length;
  }

  /** Everything the user was shown so far, JSON-escaped. */
  escapedText(): string {
    return this.#texts.text();
  }

  /** Records a piece of the reply, JSON-escaped. */
  addText(escaped: string): RecordedEvent {
    this.#lastSeq += 1;
    this.#texts.append(escaped);
    const event = this.#textEvent(this.#lastSeq, escaped);
    this.#grow(event.json.length);
    return event;
  }

  add({ type, ...fields }: TurnEvent): RecordedEvent {
    const seq = this.#lastSeq + 1;
    const json = `${this.#head}${String(seq)},${JSON.stringify(fields).slice(1)}`;
    // Looking at a character makes V8 lay the text out flat: kept as the tree of its pieces it takes far more memory.
    json.charCodeAt(0);
    // Only now: what cannot be written has thrown, and a number without its event would shift all that follow.
    this.#lastSeq = seq;
    const event = { seq, type, json };
    this.#others.push(event);
    this.#grow(json.length);
    return event;
  }

  /** Whether everything after `afterSeq` is still there. */
  reaches(afterSeq: number): boolean {
    return afterSeq + 1 >= this.#firstSeq && afterSeq <= this.#lastSeq;
  }

  /** The events after `afterSeq`, or undefined when they are no longer all there. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    if (!this.reaches(afterSeq)) return undefined;
    const events: RecordedEvent[] = [];
    let other = 0;
    for (let seq = this.#firstSeq; seq <= this.#lastSeq; seq += 1) {
      const next = this.#others[other];
      const isOther = next?.seq === seq;
      if (isOther) other += 1;
      if (seq <= afterSeq) continue;
      const text = this.#firstText + (seq - this.#firstSeq) - other;
      events.push(isOther ? next : this.#textEvent(seq, this.#texts.piece(text)));
    }
    return events;
  }

  #textEvent(seq: number, escaped: string): RecordedEvent {
    return { seq, type: 'text-delta', json: `${this.#head}${String(seq)},"text":"${escaped}${this.#textTail}` };
  }

  #grow(length: number): void {
    this.#length += length;
    // The newest event stays whatever its size, so that a reader who is about to subscribe misses nothing.
    while (this.#length > this.#maxLength && this.#firstSeq < this.#lastSeq) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#others;
    if (oldest?.seq === this.#firstSeq) {
      this.#others.shift();
      this.#length -= oldest.json.length;
    } else {
      this.#length -= this.#textEvent(this.#firstSeq, this.#texts.piece(this.#firstText)).json.length;
      this.#firstText += 1;
    }
    this.#firstSeq += 1;
  }
}
