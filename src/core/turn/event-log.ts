import { eventLine, eventOfLine, SealedLog, type SealedLogContent, textLine, textOfLine } from './sealed-log.ts';
import { TextEventWriter } from './text-event.ts';
import { TextLog } from './text-log.ts';
import type { RecordedEvent, TurnEvent } from './turn-event.ts';

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
  readonly #options: EventLogOptions;
  readonly #textEvents: TextEventWriter;
  readonly #texts = new TextLog();
  /** The readable events that are not text. */
  #others: RecordedEvent[] = [];
  #lastSeq = 0;
  #firstSeq = 1;
  /** Pieces of text before this one belong to events that can no longer be read. */
  #firstText = 0;
  #length = 0;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#textEvents = new TextEventWriter(options.turnId, options.agent);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Everything the user was shown so far, JSON-escaped. */
  escapedText(): string {
    return this.#texts.text();
  }

  /** Records a piece of the reply, JSON-escaped. */
  addText(escaped: string): RecordedEvent {
    this.#lastSeq += 1;
    this.#texts.append(escaped);
    const event = this.#textEvents.write(this.#lastSeq, escaped);
    this.#grow(event.json.length);
    return event;
  }

  add({ type, ...fields }: TurnEvent): RecordedEvent {
    const seq = this.#lastSeq + 1;
    const json = `${this.#textEvents.head}${String(seq)},${JSON.stringify(fields).slice(1)}`;
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
    return this.#map(
      (event) => event,
      (text, seq) => this.#textEvents.write(seq, text),
    ).slice(afterSeq + 1 - this.#firstSeq);
  }

  /** What is kept of the events once no more come. */
  sealed(): SealedLog {
    const { turnId, agent } = this.#options;
    return new SealedLog({ turnId, agent, ...this.content() });
  }

  /** The events as data, for another process. */
  content(): SealedLogContent {
    return { firstSeq: this.#firstSeq, lines: this.#map(eventLine, textLine) };
  }

  /** Takes up the events of another process. MUST come before any other event. */
  restore(content: SealedLogContent): void {
    this.#firstSeq = content.firstSeq;
    this.#lastSeq = content.firstSeq - 1;
    for (const line of content.lines) {
      const text = textOfLine(line);
      if (text !== undefined) {
        this.addText(text);
        continue;
      }
      this.#lastSeq += 1;
      const event = eventOfLine(line, this.#lastSeq);
      this.#others.push(event);
      this.#grow(event.json.length);
    }
  }

  /** All readable events in their order. */
  #map<Result>(
    ofEvent: (event: RecordedEvent) => Result,
    ofText: (escaped: string, seq: number) => Result,
  ): readonly Result[] {
    const results: Result[] = [];
    let other = 0;
    for (let seq = this.#firstSeq; seq <= this.#lastSeq; seq += 1) {
      const next = this.#others[other];
      if (next?.seq === seq) {
        other += 1;
        results.push(ofEvent(next));
      } else {
        results.push(ofText(this.#texts.piece(this.#firstText + (seq - this.#firstSeq) - other), seq));
      }
    }
    return results;
  }

  #grow(length: number): void {
    this.#length += length;
    // The newest event stays whatever its size, so that a reader who is about to subscribe misses nothing.
    while (this.#length > this.#options.maxLength && this.#firstSeq < this.#lastSeq) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#others;
    if (oldest?.seq === this.#firstSeq) {
      this.#others.shift();
      this.#length -= oldest.json.length;
    } else {
      this.#length -= this.#textEvents.write(this.#firstSeq, this.#texts.piece(this.#firstText)).json.length;
      this.#firstText += 1;
    }
    this.#firstSeq += 1;
  }
}
