import type { RecordedEvent } from '../events/turn-event.ts';
import type { Tape } from './tape.ts';
import type { TurnListener } from './turn-listener.ts';

interface HeldEvent {
  readonly event: RecordedEvent;
  /**
   * The number of lines that must be stored before the event is shown. 0 for text: its number must be set aside
   * instead.
   */
  readonly needs: number;
}

/**
 * The events that the one reader of a turn may see by now, in order. In a kept turn an event is shown only when a crash can no longer
 * undo it (contract/restarts.md). In any other turn each event is shown at once.
 */
export class ShownEvents {
  readonly #tape: Tape;
  #listener: TurnListener | undefined;
  /** The last event that the reader has. */
  #after = 0;
  /** Undefined while the turn is not kept. */
  #lastSeq: number | undefined;
  #held: HeldEvent[] = [];
  /** Numbers up to this one are set aside in the store. */
  #free = 0;
  #reservations: { readonly upTo: number; readonly needs: number }[] = [];
  /** What was told before it is stored, by the key of the event that tells the same in its place. */
  readonly #early = new Map<string, (seq: number) => RecordedEvent>();
  /** Undefined until the first question, because most turns ask none. */
  #questions: Map<string, RecordedEvent> | undefined;

  constructor(tape: Tape) {
    this.#tape = tape;
    tape.onDurable = () => {
      this.#pump();
    };
  }

  /** The number of the last event that was shown. Undefined while the turn is not kept, because then every event was shown. */
  get lastSeq(): number | undefined {
    return this.#lastSeq;
  }

  get listener(): TurnListener | undefined {
    return this.#listener;
  }

  /** The questions that were shown and have not ended. */
  get openQuestions(): readonly RecordedEvent[] {
    return [...(this.#questions?.values() ?? [])];
  }

  /** Replaces the reader. The earlier reader is told that nothing more comes. */
  setListener(listener: TurnListener | undefined, afterSeq: number): void {
    const earlier = this.#listener;
    this.#listener = listener;
    this.#after = afterSeq;
    if (earlier !== listener) earlier?.onEnd();
  }

  /** Shows an event, or holds it until `needs` lines are stored. */
  show(event: RecordedEvent, needs: number): void {
    if (this.#lastSeq === undefined) {
      this.#tell(event);
      return;
    }
    this.#held.push({ event, needs });
    this.#pump();
  }

  /** Tells something now that the event of this key tells again in its place. `write` writes it under the number of the event before it. */
  early(key: string, write: (seq: number) => RecordedEvent): void {
    this.#early.set(key, write);
    this.#listener?.onEvent(write(this.#lastSeq ?? 0));
  }

  /** What was told early and was not shown in its place yet. `seqOf` gives the number of the event of a key. */
  untold(seqOf: (key: string) => number | undefined): readonly RecordedEvent[] {
    const left = [...this.#early].filter(([key]) => !this.isShown(seqOf(key) ?? Infinity));
    return left.map(([, write]) => write(this.#lastSeq ?? 0));
  }

  /** Puts `event` in the place of the held event with its number. False: that event was shown. */
  replace(event: RecordedEvent): boolean {
    const at = this.#held.findIndex(({ event: { seq } }) => seq === event.seq);
    const held = this.#held[at];
    if (held === undefined) return false;
    this.#held[at] = { ...held, event };
    return true;
  }

  isShown(seq: number): boolean {
    return this.#lastSeq === undefined || seq <= this.#lastSeq;
  }

  /** The turn is not kept any more: everything is shown at once. */
  free(): void {
    const held = this.#held;
    this.#held = [];
    this.#lastSeq = undefined;
    for (const { event } of held) this.#tell(event);
  }

  /** Call it when the model begins a new reply. The text of the new reply does not get the numbers that the earlier reply left unused. */
  beginReply(): void {
    this.#free = 0;
    this.#reservations = [];
  }

  /** Numbers up to `upTo` may be shown once `needs` lines are stored. */
  reserve(upTo: number, needs: number): void {
    this.#reservations.push({ upTo, needs });
  }

  /** The turn is kept from now on; events up to `seq` were shown. */
  keepFrom(seq: number): void {
    this.#lastSeq = seq;
  }

  /** Takes note of an event that an earlier process has shown, and returns the event. */
  shownBefore(event: RecordedEvent): RecordedEvent {
    this.#note(event);
    return event;
  }

  /** The held events that may be shown by now. */
  allowed(events: readonly RecordedEvent[] | undefined): readonly RecordedEvent[] | undefined {
    const lastSeq = this.#lastSeq;
    return lastSeq === undefined ? events : events?.filter(({ seq }) => seq <= lastSeq);
  }

  #pump(): void {
    const { durable } = this.#tape;
    for (let next = this.#reservations[0]; next !== undefined && next.needs <= durable; next = this.#reservations[0]) {
      this.#free = next.upTo;
      this.#reservations.shift();
    }
    for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
      const { event, needs } = next;
      if (needs === 0 ? event.seq > this.#free : needs > durable) return;
      this.#held.shift();
      this.#lastSeq = event.seq;
      this.#tell(event);
    }
  }

  #tell(event: RecordedEvent): void {
    this.#note(event);
    if (event.seq > this.#after) this.#listener?.onEvent(event);
  }

  #note({ type, seq, json }: RecordedEvent): void {
    if (type !== 'confirmation-requested' && type !== 'confirmation-resolved') return;
    const { actionId } = JSON.parse(json) as { readonly actionId: string }; // written by this server
    this.#questions ??= new Map();
    if (type === 'confirmation-requested') this.#questions.set(actionId, { seq, type, json });
    else this.#questions.delete(actionId);
  }
}
