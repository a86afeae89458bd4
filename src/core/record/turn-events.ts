import { flushAfterReads } from '../base/flush-round.ts';
import type { RecordedEvent, TurnEvent } from '../events/turn-event.ts';
import type { UiActions } from '../request/ui-actions.ts';
import type { EventLog } from './event-log.ts';
import type { RecordLine } from './record-line.ts';
import { refillLog } from './refill-log.ts';
import { ShownEvents } from './shown-events.ts';
import { unescaped } from './text-event.ts';
import { linesOf, textLineOf } from './log-lines.ts';
import type { Tape } from './tape.ts';

/** How many numbers are set aside at a time for text that is shown before it is stored. */
const stride = 128;

export interface TurnEventsOptions {
  readonly log: EventLog;
  readonly tape: Tape;
  /** Milliseconds text may be held to be joined; 0 joins only what one read of the model brought. */
  readonly flushIntervalMs: number;
  /** Milliseconds on a clock that never goes back. */
  readonly elapsed: () => number;
}

/**
 * The one stream of events of a turn while it runs (contract/events.md): records each event and hands it to the reader. Text is the
 * hot path: pieces of one read of the model are joined, still escaped, into one event.
 *
 * Every event that is not text has a key, and is told once for each key. In a kept turn it is shown when it is stored, and text at once,
 * under numbers that were set aside for it in the store, so that no number is given twice.
 */
export class TurnEvents {
  readonly log: EventLog;
  readonly #tape: Tape;
  readonly #flushIntervalMs: number;
  readonly #elapsed: () => number;
  /** What the one reader may see by now. */
  readonly shown: ShownEvents;
  /** The keys of the events that were told, with their numbers: 0 for one that cannot be read any more, or is of a copied turn. */
  readonly #told = new Map<string, number>();
  /** Whether the process that had this turn before has suspended it, and did not die. */
  wasSuspended = false;
  #pendingText = '';
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #firstTextAt: number | undefined;
  #askedFirst = false;
  /** The key of the step whose reply is being read, empty while none is, and the length of the text before that reply. */
  #speaking = { key: '', base: 0 };
  /** Who says the text that comes now. */
  #agent: string;
  /** How many pieces of text are on the tape. */
  #taped = 0;
  #reserved = 0;

  constructor(options: TurnEventsOptions) {
    this.log = options.log;
    this.#agent = options.log.agent;
    this.#tape = options.tape;
    this.#flushIntervalMs = options.flushIntervalMs;
    this.#elapsed = options.elapsed;
    this.shown = new ShownEvents(options.tape);
  }

  /** The number of the last event that may be shown. */
  get lastSeq(): number {
    return this.shown.lastSeq ?? this.log.lastSeq;
  }

  /** When this process showed the first text, on the clock of `elapsed`. Undefined before, and when the user was asked before it. */
  get firstTextAt(): number | undefined {
    return this.#askedFirst ? undefined : this.#firstTextAt;
  }

  get hasText(): boolean {
    return this.log.hasText || this.#pendingText !== '';
  }

  /** The questions that were shown and have not ended, as they were sent. */
  get openQuestions(): readonly RecordedEvent[] {
    return this.shown.openQuestions;
  }

  wasTold(key: string): boolean {
    return this.#told.has(key);
  }

  /** The keys of the events that were told. */
  get toldKeys(): Iterable<string> {
    return this.#told.keys();
  }

  /** Everything the user was shown so far. */
  shownText(): string {
    this.flush();
    return unescaped(this.log.escapedText());
  }

  /** The text so far of the reply that is being read. */
  replyText(): string {
    this.flush();
    return unescaped(this.log.escapedText().slice(this.#speaking.base));
  }

  /** Tells an event that is not text. Does nothing when this process or an earlier one has told it before. */
  once(key: string, event: TurnEvent): void {
    if (this.#told.has(key)) return;
    this.flush();
    if (event.type === 'confirmation-requested' && this.#firstTextAt === undefined) this.#askedFirst = true;
    const recorded = this.log.add(event);
    this.#told.set(key, recorded.seq);
    this.#tapePieces();
    this.shown.show(recorded, this.#tape.write(['event', key, recorded.type, recorded.json]));
  }

  /** Takes a question back that nobody was shown: its number becomes an empty text. False: it was shown. */
  withdraw(key: string): boolean {
    const seq = this.#told.get(key);
    if (seq === undefined) return true;
    if (this.shown.isShown(seq)) return false;
    this.shown.replace(this.log.blank(seq));
    this.#told.delete(key);
    this.#tape.write(['withdrawn', key]);
    return true;
  }

  /** Tells now what `once` will tell under this key when it is stored. It has the number of the event before it. */
  early(key: string, event: TurnEvent): void {
    this.shown.early(key, (seq) => this.log.beside(seq, event));
  }

  /** What was told early and was not told in its place yet. */
  get untold(): readonly RecordedEvent[] {
    return this.shown.untold((key) => this.#told.get(key));
  }

  /**
   * Call it before the reply of the step `key` is read. Returns a function that takes each piece of the reply, JSON-escaped. The reply
   * becomes a paragraph of its own, which `agent` says.
   */
  speak(key: string, agent = this.log.agent): (escaped: string) => void {
    this.flush();
    this.#agent = agent;
    let needsBreak = this.hasText;
    this.#speaking = { key, base: needsBreak ? this.log.escapedText().length : 0 };
    if (this.#tape.isKept) {
      this.#tape.write(['speaks', key, this.#speaking.base]);
      this.shown.beginReply();
      this.#reserve();
    }
    return (escaped) => {
      if (needsBreak) this.text('\\n\\n');
      needsBreak = false;
      this.text(escaped);
    };
  }

  /** Call it when the reply was read to its end, or when the part that was read stands as the reply. */
  settle(): void {
    this.flush();
    if (this.#speaking.key === '') return;
    this.#speaking = { key: '', base: 0 };
    this.#tapePieces();
    this.#tape.write(['speaks', '', 0]);
  }

  /** A piece of the reply, JSON-escaped. Never delayed to be joined unless `flushIntervalMs` says so. */
  text(escaped: string): void {
    if (this.#pendingText === '') this.#scheduleFlush();
    this.#pendingText += escaped;
  }

  flush(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const text = this.#pendingText;
    if (text === '') return;
    this.#pendingText = '';
    this.#firstTextAt ??= this.#elapsed();
    const event = this.log.addText(text, this.#agent);
    if (this.#tape.isKept && event.seq > this.#reserved - stride / 2) this.#reserve();
    this.shown.show(event, 0);
  }

  /** Puts the text so far on the tape. When the turn ends with half a reply, the tape then has that text before the end. */
  keepText(): void {
    this.flush();
    this.#tapePieces();
  }

  /** The events after `afterSeq` that may be shown, or undefined when one of the events after `afterSeq` can no longer be read. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    this.flush();
    return this.shown.allowed(this.log.after(afterSeq));
  }

  /** The page of the reader. Undefined when nobody reads now, or the reader has no page. */
  get readerPage(): UiActions | undefined {
    return this.shown.listener?.uiActions;
  }

  /** Call it when no more events come. The reader is told so and is removed. */
  end(): void {
    this.flush();
    this.#ended = true;
    this.shown.setListener(undefined, 0);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes over the keys of a copied turn: they count as told. */
  inherit(told: readonly string[]): void {
    for (const key of told) this.#told.set(key, 0);
  }

  /** All events as lines, for a turn that is kept from now on. */
  lines(): readonly RecordLine[] {
    this.flush();
    const lines = linesOf(this.log, this.#told);
    this.#taped = this.log.pieces;
    this.shown.keepFrom(this.log.lastSeq);
    return lines;
  }

  /** Takes up what another process has stored. MUST come before any other event. */
  takeUp(lines: readonly RecordLine[]): void {
    refillLog(this.log, lines, (key, event) => this.#told.set(key, this.shown.shownBefore(event).seq));
    for (const line of lines) {
      if (line[0] === 'speaks') this.#speaking = { key: line[1], base: line[2] };
      else if (line[0] === 'numbers') this.#reserved = line[1];
      else if (line[0] === 'told') this.#told.set(line[1], 0);
    }
    this.#taped = this.log.pieces;
    const last = lines.at(-1);
    this.wasSuspended = last?.[0] === 'numbers' && last[1] === this.log.lastSeq;
    this.shown.keepFrom(this.log.lastSeq);
  }

  /**
   * Takes back a reply that an earlier process did not read to its end. Each number that may have been shown becomes an empty text, and
   * the text is again as it was before the reply. With `isOver` the turn had ended, so the half reply stands.
   */
  takeBack(isOver: boolean): void {
    const { key, base } = this.#speaking;
    if (key === '' || isOver) return;
    const shown = this.log.escapedText();
    const isShown = this.#reserved > this.log.lastSeq || shown.length > base;
    const filled: RecordedEvent[] = [];
    while (this.log.lastSeq < this.#reserved) filled.push(this.log.addText(''));
    const needs = this.#tapePieces();
    for (const event of filled) this.shown.show(event, needs);
    this.settle();
    const text = unescaped(shown.slice(0, base));
    if (isShown) this.once(`replaced/${key}/${String(this.log.lastSeq)}`, { type: 'text-replaced', text });
  }

  /** Takes back the text so far of the reply that is being read. `path` is the key of its step, or begins this key. */
  takeBackReply(path: string, key: string): void {
    this.flush();
    const { key: speaking, base } = this.#speaking;
    if (!`${speaking}/`.startsWith(`${path}/`)) return;
    const shown = this.log.escapedText();
    // The text is taken back before the reply counts as ended. After a crash in between, the next process takes it back once more.
    if (shown.length > base) this.once(key, { type: 'text-replaced', text: unescaped(shown.slice(0, base)) });
    this.settle();
  }

  /** Suspends the turn: the numbers that were set aside and not used are given back. */
  suspend(): void {
    this.flush();
    this.#tapePieces();
    if (!this.#tape.isKept) return;
    this.#reserved = this.log.lastSeq;
    this.#tape.write(['numbers', this.#reserved]);
  }

  /** Puts text on the tape: before an event that is not text, and when the reply was read to its end. */
  #tapePieces(): number {
    if (!this.#tape.isKept || this.#taped === this.log.pieces) return 0;
    const lines = this.log.spokenAfter(this.#taped).map((spoken) => this.#tape.write(textLineOf(this.log, spoken)));
    this.#taped = this.log.pieces;
    return lines.at(-1) ?? 0;
  }

  #reserve(): void {
    this.#reserved = this.log.lastSeq + stride;
    this.shown.reserve(this.#reserved, this.#tape.write(['numbers', this.#reserved]));
  }

  #scheduleFlush(): void {
    if (this.#flushIntervalMs === 0) flushAfterReads(this);
    else this.#timer ??= setTimeout(() => this.flush(), this.#flushIntervalMs);
  }
}
