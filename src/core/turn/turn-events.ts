import type { RecordedEvent, TurnEvent } from './turn-event.ts';
import type { TurnListener } from './turn.ts';

export interface TurnEventsOptions {
  readonly turnId: string;
  /** Who speaks (wire.md 2, `agent`). */
  readonly agent: string;
  /** Milliseconds text may be held to be joined; 0 joins only what one read of the model brought. */
  readonly flushIntervalMs: number;
  /** Characters kept for resuming. */
  readonly maxBufferedLength: number;
  readonly now: () => number;
}

/**
 * The one stream of events of a turn (wire.md 2): numbers each event, serialises it once, keeps it for resuming and hands
 * it to the reader. Text is the hot path: pieces of one read of the model are joined, still escaped, into one event.
 */
export class TurnEvents {
  readonly #head: string;
  readonly #textTail: string;
  readonly #options: TurnEventsOptions;
  #buffer: RecordedEvent[] = [];
  #bufferedLength = 0;
  #seq = 0;
  #pendingText = '';
  #shownText = '';
  #listener: TurnListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #firstTextAt: number | undefined;
  readonly #flush = (): void => {
    this.flush();
  };

  constructor(options: TurnEventsOptions) {
    this.#options = options;
    this.#head = `{"turnId":${JSON.stringify(options.turnId)},"seq":`;
    this.#textTail = `","agent":${JSON.stringify(options.agent)}}`;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** The oldest event that is still held. */
  get firstSeq(): number {
    return this.#buffer[0]?.seq ?? this.#seq + 1;
  }

  /** Characters held for resuming; what the limit over all turns is counted by. */
  get bufferedLength(): number {
    return this.#bufferedLength;
  }

  /** When the first text was shown, on the clock of `now`. */
  get firstTextAt(): number | undefined {
    return this.#firstTextAt;
  }

  get hasText(): boolean {
    return this.#shownText !== '' || this.#pendingText !== '';
  }

  /** Everything the user was shown so far. */
  shownText(): string {
    this.flush();
    return this.#shownText === '' ? '' : unescape(this.#shownText);
  }

  /** A piece of the reply, JSON-escaped. Never delayed to be joined unless `flushIntervalMs` says so. */
  text(escaped: string): void {
    if (this.#pendingText === '') this.#scheduleFlush();
    this.#pendingText += escaped;
  }

  /** Records an event after the text that came before it; returns it as it was recorded. */
  emit(event: TurnEvent): RecordedEvent {
    this.flush();
    const { type, ...fields } = event;
    this.#seq += 1;
    const json = `${this.#head}${String(this.#seq)},${JSON.stringify(fields).slice(1)}`;
    return this.#record({ seq: this.#seq, type, json });
  }

  flush(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const text = this.#pendingText;
    if (text === '') return;
    this.#pendingText = '';
    this.#firstTextAt ??= this.#options.now();
    this.#shownText += text;
    this.#seq += 1;
    const json = `${this.#head}${String(this.#seq)},"text":"${text}${this.#textTail}`;
    this.#record({ seq: this.#seq, type: 'text-delta', json });
  }

  /** The events after `afterSeq`, or undefined when they are no longer all there. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    this.flush();
    const firstKept = this.firstSeq;
    if (afterSeq + 1 < firstKept || afterSeq > this.#seq) return undefined;
    return this.#buffer.slice(afterSeq + 1 - firstKept);
  }

  /** Replaces the reader; the earlier one is told that nothing more comes. */
  setListener(listener: TurnListener | undefined): void {
    const earlier = this.#listener;
    this.#listener = listener;
    if (earlier !== listener) earlier?.onEnd();
  }

  isListener(listener: TurnListener): boolean {
    return this.#listener === listener;
  }

  get hasListener(): boolean {
    return this.#listener !== undefined;
  }

  /** No more events: flushes, and lets the reader go. */
  end(): void {
    this.flush();
    this.#ended = true;
    this.setListener(undefined);
  }

  get ended(): boolean {
    return this.#ended;
  }

  #record(event: RecordedEvent): RecordedEvent {
    // Looking at a character makes V8 lay the text out flat: kept as the tree of its pieces it takes ten times the memory.
    event.json.charCodeAt(0);
    this.#buffer.push(event);
    this.#bufferedLength += event.json.length;
    // The newest event stays whatever its size, so that a reader who is about to subscribe misses nothing.
    while (this.#bufferedLength > this.#options.maxBufferedLength && this.#buffer.length > 1) {
      this.#bufferedLength -= this.#buffer.shift()?.json.length ?? 0;
    }
    this.#listener?.onEvent(event);
    return event;
  }

  #scheduleFlush(): void {
    if (this.#options.flushIntervalMs === 0) queueMicrotask(this.#flush);
    else this.#timer ??= setTimeout(this.#flush, this.#options.flushIntervalMs);
  }
}

function unescape(escaped: string): string {
  const text: unknown = JSON.parse(`"${escaped}"`);
  return String(text);
}
