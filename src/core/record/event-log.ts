import { eventLine, SealedLog, textLine } from './sealed-log.ts';
import { TextEventWriter } from './text-event.ts';
import { TextLog } from './text-log.ts';
import type { RecordedEvent, TurnEvent, TurnEventType } from '../events/turn-event.ts';

export interface EventLogOptions {
  readonly turnId: string;
  /** Who speaks when nobody else is named (contract/events.md, `agent`). */
  readonly agent: string;
  /** Characters kept for resuming. */
  readonly maxLength: number;
}

/** Pieces of text in a row that one agent has said, JSON-escaped. */
export interface SpokenText {
  readonly agent: string;
  readonly pieces: readonly string[];
}

/**
 * The numbered events of a turn (contract/events.md). Each event is serialised once and kept for readers that resume
 * (contract/sse.md#coming-back). Of a text event only the text is kept; its JSON is written again for each reader that resumes. When
 * the events are longer than `maxLength`, the oldest ones can no longer be read.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #textEvents: TextEventWriter;
  readonly #texts = new TextLog();
  /** Who speaks from which piece of text on. The first entry speaks from the first piece on. */
  readonly #speakers: { readonly from: number; readonly agent: string }[];
  /** The readable events that are not text. */
  #others: RecordedEvent[] = [];
  #lastSeq = 0;
  #firstSeq = 1;
  /** The number of text pieces that belong to events which can no longer be read. */
  #firstText = 0;
  #length = 0;
  /** The text that last replaced the reply, and the number of pieces before that replacement. */
  #replaced = { text: '', pieces: 0 };

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#textEvents = new TextEventWriter(options.turnId);
    this.#speakers = [{ from: 0, agent: options.agent }];
  }

  /** Who speaks when nobody else is named. */
  get agent(): string {
    return this.#options.agent;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Everything the user was shown so far, JSON-escaped. */
  escapedText(): string {
    return this.#replaced.text + this.#texts.textBetween(this.#replaced.pieces, this.#texts.count);
  }

  /** Whether the user was shown text, and that text was not taken back. */
  get hasText(): boolean {
    return this.#replaced.text !== '' || this.#texts.lengthAfter(this.#replaced.pieces) > 0;
  }

  /** What was shown by the events that can no longer be read, JSON-escaped. */
  get evictedText(): string {
    const { text, pieces } = this.#replaced;
    // The pieces before a `text-replaced` event that can still be read are no longer part of the text.
    return pieces > this.#firstText ? '' : text + this.#texts.textBetween(pieces, this.#firstText);
  }

  /**
   * Starts the log at `firstSeq`. The events before it can no longer be read; `text`, JSON-escaped, is what they had shown. MUST come
   * before any event.
   */
  beginAt(firstSeq: number, text: string): void {
    this.#firstSeq = firstSeq;
    this.#lastSeq = firstSeq - 1;
    this.#replaced = { text, pieces: 0 };
  }

  /** The pieces of text after the first `count`. */
  spokenAfter(count: number): readonly SpokenText[] {
    const spoken: { readonly agent: string; readonly pieces: string[] }[] = [];
    for (let index = count; index < this.#texts.count; index += 1) {
      const agent = this.#speakerOf(index);
      if (spoken.at(-1)?.agent !== agent) spoken.push({ agent, pieces: [] });
      spoken.at(-1)?.pieces.push(this.#texts.piece(index));
    }
    return spoken;
  }

  /** The number of pieces of text, including the pieces that were replaced. */
  get pieces(): number {
    return this.#texts.count;
  }

  /** Records a piece of the reply, JSON-escaped, and who said it. */
  addText(escaped: string, agent = this.#options.agent): RecordedEvent {
    this.#lastSeq += 1;
    if (agent !== this.#speakers.at(-1)?.agent) this.#speakers.push({ from: this.#texts.count, agent });
    this.#texts.append(escaped);
    const event = this.#textEvents.write(this.#lastSeq, escaped, agent);
    this.#grow(event.json.length);
    return event;
  }

  add({ type, ...fields }: TurnEvent): RecordedEvent {
    const json = `${this.#textEvents.head}${String(this.#lastSeq + 1)},${JSON.stringify(fields).slice(1)}`;
    // `JSON.stringify` throws before the number is used. A number without an event would shift all later numbers.
    return this.addWritten(type, json);
  }

  /** Takes up an event as another process has written it. Its number MUST be the next one. */
  addWritten(type: TurnEventType, json: string): RecordedEvent {
    this.#lastSeq += 1;
    const event = { seq: this.#lastSeq, type, json };
    this.#others.push(event);
    this.#grow(json.length);
    if (type === 'text-replaced') this.#replaced = { text: replacement(json), pieces: this.#texts.count };
    return event;
  }

  /** Puts an empty text in the place of an event that was shown to nobody. Its number stays used. */
  blank(seq: number): RecordedEvent {
    const event = this.#textEvents.write(seq, '', this.#options.agent);
    const at = this.#others.findIndex((other) => other.seq === seq);
    this.#length += event.json.length - (this.#others[at]?.json.length ?? event.json.length);
    if (at >= 0) this.#others[at] = event;
    return event;
  }

  /** An event with a number that another event has. The log does not have it. */
  beside(seq: number, { type, ...fields }: TurnEvent): RecordedEvent {
    return { seq, type, json: `${this.#textEvents.head}${String(seq)},${JSON.stringify(fields).slice(1)}` };
  }

  /** Whether every event after `afterSeq` can still be read. */
  reaches(afterSeq: number): boolean {
    return afterSeq + 1 >= this.#firstSeq && afterSeq <= this.#lastSeq;
  }

  /** The events after `afterSeq`, or undefined when one of them can no longer be read. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    if (!this.reaches(afterSeq)) return undefined;
    return this.#map(
      (event) => event,
      (text, seq, agent) => this.#textEvents.write(seq, text, agent),
    ).slice(afterSeq + 1 - this.#firstSeq);
  }

  /** The events in the form in which they are kept once the turn gets no more events. */
  sealed(): SealedLog {
    const { turnId, agent } = this.#options;
    const lines = this.#map(eventLine, (escaped, _, speaker) => textLine(escaped, speaker === agent ? '' : speaker));
    return new SealedLog({ turnId, agent, firstSeq: this.#firstSeq, lines });
  }

  /** The readable events that are not text, in their order. */
  get others(): readonly RecordedEvent[] {
    return this.#others;
  }

  /** All readable events in their order. A text event is given as what was said, and any other event as it was recorded. */
  content(): readonly (SpokenText | RecordedEvent)[] {
    return this.#map<SpokenText | RecordedEvent>(
      (event) => event,
      (escaped, _, agent) => ({ agent, pieces: [escaped] }),
    );
  }

  /** All readable events in their order. */
  #map<Result>(
    ofEvent: (event: RecordedEvent) => Result,
    ofText: (escaped: string, seq: number, agent: string) => Result,
  ): readonly Result[] {
    const results: Result[] = [];
    let other = 0;
    for (let seq = this.#firstSeq; seq <= this.#lastSeq; seq += 1) {
      const next = this.#others[other];
      if (next?.seq === seq) {
        other += 1;
        results.push(ofEvent(next));
      } else {
        const piece = this.#firstText + (seq - this.#firstSeq) - other;
        results.push(ofText(this.#texts.piece(piece), seq, this.#speakerOf(piece)));
      }
    }
    return results;
  }

  /** A turn has few changes of the speaker, and most turns have none. */
  #speakerOf(piece: number): string {
    return this.#speakers.findLast(({ from }) => from <= piece)?.agent ?? this.#options.agent;
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
      const [text, agent] = [this.#texts.piece(this.#firstText), this.#speakerOf(this.#firstText)];
      this.#length -= this.#textEvents.write(this.#firstSeq, text, agent).json.length;
      this.#firstText += 1;
    }
    this.#firstSeq += 1;
  }
}

/** The text of a `text-replaced` event, JSON-escaped. */
function replacement(json: string): string {
  const { text } = JSON.parse(json) as { readonly text: string }; // written by this server
  return JSON.stringify(text).slice(1, -1);
}
