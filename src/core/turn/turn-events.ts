import type { EventLog } from './event-log.ts';
import { flushAfterReads } from '../flush-round.ts';
import type { SealedLogContent } from './sealed-log.ts';
import type { UiActions } from '../ui-actions/ui-actions.ts';
import type { RecordedEvent, TurnEvent } from './turn-event.ts';
import type { TurnListener } from './turn.ts';

export interface TurnEventsOptions {
  readonly log: EventLog;
  /** Milliseconds text may be held to be joined; 0 joins only what one read of the model brought. */
  readonly flushIntervalMs: number;
  readonly now: () => number;
}

/**
 * The one stream of events of a turn while it runs (wire.md 2): records each event and hands it to the reader. Text is the
 * hot path: pieces of one read of the model are joined, still escaped, into one event.
 */
export class TurnEvents {
  readonly log: EventLog;
  readonly #flushIntervalMs: number;
  readonly #now: () => number;
  #pendingText = '';
  #listener: TurnListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #firstTextAt: number | undefined;

  constructor(options: TurnEventsOptions) {
    this.log = options.log;
    this.#flushIntervalMs = options.flushIntervalMs;
    this.#now = options.now;
  }

  get lastSeq(): number {
    return this.log.lastSeq;
  }

  /** When the first text was shown, on the clock of `now`. */
  get firstTextAt(): number | undefined {
    return this.#firstTextAt;
  }

  get hasText(): boolean {
    return this.#firstTextAt !== undefined || this.#pendingText !== '';
  }

  /** Everything the user was shown so far. */
  shownText(): string {
    this.flush();
    const text: unknown = this.#firstTextAt === undefined ? '' : JSON.parse(`"${this.log.escapedText()}"`);
    return String(text);
  }

  /** A piece of the reply, JSON-escaped. Never delayed to be joined unless `flushIntervalMs` says so. */
  text(escaped: string): void {
    if (this.#pendingText === '') this.#scheduleFlush();
    this.#pendingText += escaped;
  }

  /** Takes up what another process had sent. MUST come before any other event. */
  restore(content: SealedLogContent): void {
    this.log.restore(content);
    if (this.log.escapedText() !== '') this.#firstTextAt = this.#now();
  }

  /** Records an event after the text that came before it; returns it as it was recorded. */
  emit(event: TurnEvent): RecordedEvent {
    this.flush();
    return this.#hand(this.log.add(event));
  }

  flush(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const text = this.#pendingText;
    if (text === '') return;
    this.#pendingText = '';
    this.#firstTextAt ??= this.#now();
    this.#hand(this.log.addText(text));
  }

  /** The events after `afterSeq`, or undefined when they are no longer all there. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    this.flush();
    return this.log.after(afterSeq);
  }

  /** All events as data, for another process. */
  content(): SealedLogContent {
    this.flush();
    return this.log.content();
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

  /** The page of whoever reads now; undefined when nobody does, or the reader has none. */
  get readerPage(): UiActions | undefined {
    return this.#listener?.uiActions;
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

  #hand(event: RecordedEvent): RecordedEvent {
    this.#listener?.onEvent(event);
    return event;
  }

  #scheduleFlush(): void {
    if (this.#flushIntervalMs === 0) flushAfterReads(this);
    else this.#timer ??= setTimeout(() => this.flush(), this.#flushIntervalMs);
  }
}
