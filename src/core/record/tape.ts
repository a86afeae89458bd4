import { StepRefused } from '../ports/step-refused.ts';
import type { TurnDelivery } from '../ports/delivery-store.ts';
import type { TurnHold, TurnLines } from '../ports/turn-store.ts';
import { deliveryName } from './delivery-content.ts';
import { letGoOfTaken } from './let-go-of-taken.ts';
import { lineText, linesText, type RecordLine } from './record-line.ts';
import type { TapeBeginning, TapeServices } from './tape-services.ts';
import { untilHeld } from './until-held.ts';
import { untilRetry } from './until-retry.ts';

interface Batch {
  readonly lines: TurnLines;
  readonly send: () => Promise<void>;
  isStored: boolean;
}

interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  /** When it is left out, the waiter goes on waiting while the store fails. */
  readonly reject?: (error: unknown) => void;
}

/**
 * Writes the record and the events of a turn to the store. The turn does not wait for the writes. Several lines are written together,
 * in their order. A failed write is tried again until the store takes it. The tape ends early only when another process has taken the
 * turn up. Code that must be sure of a write waits for `flush`.
 */
export class Tape {
  /** Called when more lines are durable. */
  onDurable: () => void = () => undefined;
  /** Called when the store says that another process has taken the turn up. */
  onLost: () => void = () => undefined;
  readonly #turnId: string;
  readonly #services: TapeServices;
  #header = '';
  #userKey = '';
  #epoch: number | undefined;
  #waiting: string[] = [];
  /** Lines of batches that are not stored yet, oldest first. */
  #batches: Batch[] = [];
  #waiters: Waiter[] = [];
  /** Lines written, handed to the store, and stored. */
  #written = 0;
  #pushed = 0;
  #durable = 0;
  #isPushScheduled = false;
  #isGathering = false;
  /** Whether the lines that were not handed to the store yet include an event that is to be shown. */
  #hasEvent = false;
  #isLost = false;
  #isEnding = false;
  #delivery: TurnDelivery | undefined;
  /** Why lines are not stored at present; undefined while the store takes them. */
  #fault: unknown;

  /** `kept`: under which epoch the turn was taken up, and how many lines are stored. */
  constructor(turnId: string, services: TapeServices, kept?: { readonly epoch: number; readonly lines: number }) {
    this.#turnId = turnId;
    this.#services = services;
    if (kept === undefined) return;
    this.#epoch = kept.epoch;
    this.#written = this.#pushed = this.#durable = kept.lines;
  }

  get isKept(): boolean {
    return this.#epoch !== undefined;
  }

  /** How many lines are stored. */
  get durable(): number {
    return this.#durable;
  }

  /** From now on the turn is kept. MUST be called once at most, and not for a turn that was taken up. */
  keep({ header, userKey, lines }: TapeBeginning): void {
    this.#header = header;
    this.#userKey = userKey;
    this.#epoch = 1;
    for (const line of lines) this.write(line);
  }

  /** Adds a line. Returns how many lines must be stored until this line is stored; 0 for a turn that is not kept. */
  write(line: RecordLine): number {
    if (this.#epoch === undefined || this.#isLost) return 0;
    this.#waiting.push(lineText(line));
    this.#hasEvent ||= line[0] === 'event';
    this.#written += 1;
    if (!this.#isPushScheduled) {
      this.#isPushScheduled = true;
      // All that one step of the turn writes, its events included, makes one batch.
      process.nextTick(this.#pushScheduled);
    }
    return this.#written;
  }

  /**
   * Holds back the lines from now on until the next flush. That flush mostly comes at the end of the turn, so the lines and the end
   * make one write. Lines that wait already are held back too, unless one of them is an event that is to be shown. MUST be called only
   * where the end of the turn follows by itself.
   */
  gather(): void {
    if (this.#hasEvent) this.#push();
    this.#isGathering = true;
  }

  /**
   * For a row of the journal: who holds the turn, and how many of its lines were handed to the store. Undefined while
   * the turn is not kept.
   */
  hold(): TurnHold | undefined {
    if (this.#epoch === undefined) return undefined;
    this.#push();
    return { turnId: this.#turnId, epoch: this.#epoch, lines: this.#pushed };
  }

  /** Under which epoch this process holds the turn. Undefined before anything of the turn is stored, and once it ends or is lost. */
  get held(): Pick<TurnHold, 'turnId' | 'epoch'> | undefined {
    if (this.#epoch === undefined || this.#durable === 0 || this.#isEnding || this.#isLost) return undefined;
    return { turnId: this.#turnId, epoch: this.#epoch };
  }

  /**
   * Called when the store has refused a step of the turn. Resolves once it says that this process still holds the turn: a turn that only
   * waits writes nothing, and would never learn that it is lost. For a turn that was lost it never resolves. Where replicas share the store
   * it takes a moment, so that what is tried again is not tried without a pause.
   */
  async stillHeld(): Promise<void> {
    const { shared } = this.#services.store;
    if (shared === undefined) return;
    await untilHeld(() => letGoOfTaken([this], shared));
    await Promise.all([this.flush(), untilRetry(0)]);
  }

  /**
   * Resolves once all written lines are stored. For a turn that is not kept it resolves at once. For a turn that was lost it never
   * resolves.
   */
  flush(): Promise<void> {
    return this.#until((resolve) => ({ upTo: this.#written, resolve }));
  }

  /**
   * As `flush`, but rejects when the turn was lost or when the store does not take a write. The write is tried again
   * all the same.
   */
  attempt(): Promise<void> {
    if (this.#fault !== undefined) {
      return Promise.reject(new Error('the record of the turn cannot be stored', { cause: this.#fault }));
    }
    return this.#until((resolve, reject) => ({ upTo: this.#written, resolve, reject }));
  }

  /**
   * Ends the tape of a turn that is over. Resolves once all lines are stored. The store forgets the turn when nobody can resume it any
   * more. A `delivery` is stored with the end.
   */
  async end(delivery?: TurnDelivery): Promise<void> {
    if (this.#epoch === undefined) return;
    const { sealer, onDelivery } = this.#services;
    this.#delivery = delivery && { ...delivery, content: sealer.seal(delivery.content, deliveryName(this.#turnId)) };
    if (this.#waiting.length === 0) this.write(['speaks', '', 0]);
    this.#isEnding = true;
    this.#pushAs('end');
    await this.flush();
    if (delivery !== undefined) onDelivery?.();
  }

  /** Suspends the turn. Afterwards this process writes nothing more of the turn, and code that waits for the tape does not go on. */
  async suspend(): Promise<void> {
    if (this.#epoch === undefined || this.#isLost) return;
    await this.attempt().catch((error: unknown) => {
      this.#services.log.error(
        { error, turnId: this.#turnId },
        'a turn could not be stored whole for the next process',
      );
    });
    this.#lose();
  }

  /** Another process has taken the turn up. Lets go of it. */
  taken(): void {
    if (this.#isLost) return;
    this.#lose();
    this.onLost();
  }

  readonly #pushScheduled = (): void => {
    if (this.#isGathering) this.#isPushScheduled = false;
    else this.#push();
  };

  #push(): void {
    this.#pushAs('append');
  }

  #pushAs(how: 'append' | 'end'): void {
    this.#isPushScheduled = false;
    if (this.#waiting.length === 0 || this.#isLost) return;
    const { sealer } = this.#services;
    const text = sealer.seal(linesText(this.#waiting), this.#turnId);
    const lines = { first: this.#pushed, count: this.#waiting.length, text };
    this.#waiting = [];
    this.#hasEvent = false;
    this.#pushed += lines.count;
    const batch: Batch = { lines, send: this.#change(lines, how), isStored: false };
    this.#batches.push(batch);
    // While the store fails, `#retry` sends this batch after the earlier ones.
    if (this.#fault === undefined) void this.#send(batch);
  }

  #change(lines: TurnLines, how: 'append' | 'end'): () => Promise<void> {
    const { store, sealer, markOf, clock, resumeWindowMs } = this.#services;
    const hold = { turnId: this.#turnId, epoch: this.#epoch ?? 1 };
    const end = (): Promise<void> =>
      store.end(hold, lines, { forgetAt: clock.now() + resumeWindowMs, delivery: this.#delivery });
    if (lines.first > 0) return how === 'end' ? end : () => store.append(hold, lines);
    const header = sealer.seal(this.#header, this.#turnId);
    const turn = { turnId: this.#turnId, header, owner: markOf(this.#userKey), lines };
    const create = (): Promise<void> => store.create(turn, clock.now());
    return how === 'end' ? () => create().then(end) : create;
  }

  async #send(batch: Batch): Promise<void> {
    try {
      await batch.send();
    } catch (error) {
      if (this.#fault !== undefined) return;
      if (error instanceof StepRefused) this.taken();
      else void this.#retry(error);
      return;
    }
    this.#stored(batch);
  }

  /** Sends the batches that are not stored, in their order, until the store has taken all of them. */
  async #retry(fault: unknown): Promise<void> {
    this.#refused(fault);
    let attempts = 0;
    await untilRetry(attempts);
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      try {
        await batch.send();
        this.#stored(batch);
      } catch (error) {
        if (error instanceof StepRefused) break;
        this.#refused(error);
        attempts += 1;
        await untilRetry(attempts);
      }
    }
    this.#fault = undefined;
    if (this.#batches.length > 0) this.taken();
  }

  #refused(fault: unknown): void {
    this.#fault = fault;
    const waiters = this.#waiters.filter(({ reject }) => reject !== undefined);
    this.#waiters = this.#waiters.filter(({ reject }) => reject === undefined);
    for (const { reject } of waiters) reject?.(new Error('the record of the turn cannot be stored', { cause: fault }));
  }

  #stored(batch: Batch): void {
    batch.isStored = true;
    for (let first = this.#batches[0]; first?.isStored === true; first = this.#batches[0]) {
      this.#batches.shift();
      this.#durable = first.lines.first + first.lines.count;
    }
    this.onDurable();
    const done = this.#waiters.filter(({ upTo }) => upTo <= this.#durable);
    this.#waiters = this.#waiters.filter(({ upTo }) => upTo > this.#durable);
    for (const { resolve } of done) resolve();
  }

  /**
   * This process gives up the turn, because another process has taken it up or will. Code that waits in `flush` must not go on, since
   * stopping would write to the journal.
   */
  #lose(): void {
    this.#isLost = true;
    this.#refused(new Error('another process has taken the turn up'));
    this.#waiters = [];
    this.#batches = [];
    this.#waiting = [];
  }

  #until(waiter: (resolve: () => void, reject: (error: unknown) => void) => Waiter): Promise<void> {
    if (this.#isLost) return new Promise(() => undefined);
    if (this.#durable === this.#written) return Promise.resolve();
    this.#push();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.#waiters.push(
      waiter(
        () => resolve(undefined),
        (error) => reject(error),
      ),
    );
    return promise;
  }
}
