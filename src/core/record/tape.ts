import { StepRefused } from '../ports/step-refused.ts';
import type { TurnDelivery } from '../ports/delivery-store.ts';
import type { TurnHold, TurnLines } from '../ports/turn-store.ts';
import { deliveryName } from './delivery-content.ts';
import { letGoOfTaken } from './let-go-of-taken.ts';
import { lineText, linesText, type RecordLine } from './record-line.ts';
import type { TapeBeginning, TapeServices } from './tape-services.ts';
import { TapeWaiters } from './tape-waiters.ts';
import { untilHeld } from './until-held.ts';
import { untilRetry } from '../base/until-retry.ts';

interface Batch {
  readonly lines: TurnLines;
  readonly send: () => Promise<void>;
  isStored: boolean;
}

/**
 * Writes the record and the events of a turn to the store, several lines together, in their order. The turn does not wait for it. A failed
 * write is tried again, unless another process has taken the turn up. Code that must be sure of a write waits for `flush`.
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
  readonly #waiters = new TapeWaiters();
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

  /** Whether another process has the turn, or will have it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** How many lines are stored. */
  get durable(): number {
    return this.#durable;
  }

  /**
   * From now on the turn is kept. MUST be called once at most, and not for a turn that was taken up.
   * @throws Error for a turn that was dropped: the store may have another beginning of it.
   */
  keep(begin: () => TapeBeginning): void {
    if (this.#header !== '') throw new Error('the store has not taken this turn before');
    const { header, userKey, lines } = begin();
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
   * What `write` adds makes a write of its own, which does not wait until the disk has it: once it is stored it outlives this process, and a
   * loss of power some seconds later.
   */
  apart(write: () => void): void {
    this.#push();
    write();
    this.#pushAs('append', { syncLater: true });
  }

  /**
   * Holds back the lines from now on until the next flush, mostly that of the end, with which they make one write. Lines that wait already are
   * held back too, unless one of them is an event that is to be shown. MUST be called only where the end of the turn follows by itself.
   */
  gather(): void {
    if (this.#hasEvent) this.#push();
    this.#isGathering = true;
  }

  /** For a row of the journal: who holds the turn, and how many of its lines were handed to the store. Undefined while it is not kept. */
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
   * Called when the store has refused a step. Resolves once it says that this process still holds the turn, which a turn that only waits would
   * never learn; for a lost turn never. Where replicas share the store it takes a moment, as a pause between two tries.
   */
  async stillHeld(): Promise<void> {
    const { shared } = this.#services.store;
    if (shared === undefined) return;
    await untilHeld(() => letGoOfTaken([this], shared));
    await Promise.all([this.flush(), untilRetry(0)]);
  }

  /** Resolves once all written lines are stored: at once for a turn that is not kept, and never for one that was lost. */
  flush(): Promise<void> {
    return this.#until((upTo) => this.#waiters.until(upTo));
  }

  /** As `flush`, but rejects when the turn was lost or when the store does not take a write, which is tried again all the same. */
  attempt(): Promise<void> {
    if (this.#waiters.fault !== undefined) {
      return Promise.reject(new Error('the record of the turn cannot be stored', { cause: this.#waiters.fault }));
    }
    return this.#until((upTo) => this.#waiters.attempt(upTo));
  }

  /** Ends the tape of a turn that is over, and stores a `delivery` with it. Resolves once all is stored, until nobody can resume the turn. */
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

  /** Keeps the turn no longer, unless the store has said that it has lines of it. Who waits for the tape goes on. Returns whether it was dropped. */
  drop(): boolean {
    if (this.#epoch === undefined || this.#isLost || this.#durable > 0) return false;
    this.#epoch = undefined;
    this.#batches = [];
    this.#waiting = [];
    this.#written = this.#pushed = 0;
    this.#waiters.stored(Infinity);
    this.#forget();
    return true;
  }

  /** What the store has of a dropped turn all the same must not outlive it. */
  #forget(): void {
    void untilHeld(() => this.#services.store.delete([this.#turnId])).catch(() => undefined);
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

  #pushAs(how: 'append' | 'end', { syncLater = false } = {}): void {
    this.#isPushScheduled = false;
    if (this.#waiting.length === 0 || this.#isLost) return;
    const { sealer } = this.#services;
    const text = sealer.seal(linesText(this.#waiting), this.#turnId);
    const lines = { first: this.#pushed, count: this.#waiting.length, text };
    this.#waiting = [];
    this.#hasEvent = false;
    this.#pushed += lines.count;
    const batch: Batch = { lines, send: this.#change(lines, how, syncLater), isStored: false };
    this.#batches.push(batch);
    // While the store fails, `#retry` sends this batch after the earlier ones.
    if (this.#waiters.fault === undefined) void this.#send(batch);
  }

  #change(lines: TurnLines, how: 'append' | 'end', syncLater: boolean): () => Promise<void> {
    const { store, sealer, markOf, clock, resumeWindowMs } = this.#services;
    const hold = { turnId: this.#turnId, epoch: this.#epoch ?? 1 };
    const end = (): Promise<void> =>
      store.end(hold, lines, { forgetAt: clock.now() + resumeWindowMs, delivery: this.#delivery });
    if (lines.first > 0)
      return how === 'end' ? end : () => store.append(hold, lines, syncLater ? { syncLater } : undefined);
    const header = sealer.seal(this.#header, this.#turnId);
    const turn = { turnId: this.#turnId, header, owner: markOf(this.#userKey), lines };
    const create = (): Promise<void> => store.create(turn, clock.now());
    return how === 'end' ? () => create().then(end) : create;
  }

  async #send(batch: Batch): Promise<void> {
    try {
      await batch.send();
    } catch (error) {
      if (this.#waiters.fault !== undefined || this.#epoch === undefined) return;
      if (error instanceof StepRefused) this.taken();
      else void this.#retry(error);
      return;
    }
    this.#stored(batch);
  }

  /** Sends the batches that are not stored, in their order, until the store has taken all of them. */
  async #retry(fault: unknown): Promise<void> {
    this.#waiters.failed(fault);
    let attempts = 0;
    await untilRetry(attempts);
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      try {
        await batch.send();
        this.#stored(batch);
      } catch (error) {
        if (error instanceof StepRefused) break;
        this.#waiters.failed(error);
        attempts += 1;
        await untilRetry(attempts);
      }
    }
    this.#waiters.fault = undefined;
    if (this.#batches.length > 0) this.taken();
  }

  #stored(batch: Batch): void {
    if (this.#epoch === undefined) this.#forget();
    batch.isStored = true;
    for (let first = this.#batches[0]; first?.isStored === true; first = this.#batches[0]) {
      this.#batches.shift();
      this.#durable = first.lines.first + first.lines.count;
    }
    this.onDurable();
    this.#waiters.stored(this.#durable);
  }

  /** This process gives up the turn. Code that waits in `flush` must not go on, since stopping would write to the journal. */
  #lose(): void {
    this.#isLost = true;
    this.#waiters.failed(new Error('another process has taken the turn up'));
    this.#waiters.forget();
    this.#batches = [];
    this.#waiting = [];
  }

  #until(wait: (upTo: number) => Promise<void>): Promise<void> {
    if (this.#isLost) return new Promise(() => undefined);
    if (this.#durable === this.#written) return Promise.resolve();
    this.#push();
    return wait(this.#written);
  }
}
