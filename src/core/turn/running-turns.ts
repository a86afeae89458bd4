import { LiveMap } from '../base/live-map.ts';
import type { EndedTurn } from './live/ended-turn.ts';
import type { LiveTurn } from './live/live-turn.ts';
import type { Turn } from './live/turn.ts';

/** The bytes that an ended turn needs in addition to its events. They count toward the limit too. */
const overheadLength = 1024;

export interface RunningTurnsOptions {
  /** Milliseconds an ended turn can still be resumed (contract/sse.md#coming-back, `server.resumeWindow`). */
  readonly resumeWindowMs: number;
  /** Bytes all ended turns together may hold; the oldest go first. */
  readonly maxBufferedLength: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

interface KeptTurn {
  readonly turn: EndedTurn;
  readonly endedAt: number;
  readonly length: number;
}

/** Finds a turn by its id while it runs and for the resume window after it. */
export class RunningTurns {
  readonly #options: RunningTurnsOptions;
  readonly #running = new LiveMap<LiveTurn>();
  readonly #ended = new Map<string, KeptTurn>();
  /** Ended turns in the order they are forgotten in; those before `#oldest` are gone. */
  #queue: (KeptTurn | undefined)[] = [];
  #oldest = 0;
  #endedLength = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: RunningTurnsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  add(turn: LiveTurn): void {
    this.#running.set(turn.id, turn);
  }

  find(turnId: string): Turn | undefined {
    const running = this.#running.get(turnId);
    if (running !== undefined) return running;
    const ended = this.#ended.get(turnId);
    if (ended === undefined || ended.endedAt <= this.#options.now() - this.#options.resumeWindowMs) return undefined;
    return ended.turn;
  }

  /** Moves a turn from running to resumable, and makes room. */
  ended(turn: EndedTurn): void {
    if (!this.#running.delete(turn.id) || this.#options.resumeWindowMs === 0) return;
    this.#keep(turn, this.#options.now());
  }

  #keep(turn: EndedTurn, endedAt: number): void {
    const length = turn.bufferedLength + overheadLength;
    const ended = { turn, endedAt, length };
    this.#ended.set(turn.id, ended);
    this.#queue.push(ended);
    this.#endedLength += length;
    while (this.#endedLength > this.#options.maxBufferedLength) this.#forgetOldest();
    this.#scheduleSweep();
  }

  /** Keeps a turn that ended in an earlier process, for as long as it can be resumed. */
  keep(turn: EndedTurn, forMs: number): void {
    this.#keep(turn, this.#options.now() - this.#options.resumeWindowMs + forMs);
  }

  /** Lets go of a turn that goes on in another process. */
  forget(turn: LiveTurn): void {
    this.#running.delete(turn.id);
  }

  /** Lets go of ended turns, so that nobody resumes them. */
  forgetEnded(isMeant: (turn: EndedTurn) => boolean): void {
    for (let index = this.#oldest; index < this.#queue.length; index += 1) {
      const kept = this.#queue[index];
      if (kept !== undefined && isMeant(kept.turn)) this.#ended.delete(kept.turn.id);
    }
  }

  running(): readonly LiveTurn[] {
    return this.#running.values();
  }

  close(): void {
    clearTimeout(this.#sweep);
    this.#ended.clear();
    this.#queue = [];
    this.#oldest = 0;
  }

  #forgetOldest(): void {
    const oldest = this.#queue[this.#oldest];
    if (oldest === undefined) return;
    this.#queue[this.#oldest] = undefined;
    this.#ended.delete(oldest.turn.id);
    this.#endedLength -= oldest.length;
    this.#oldest += 1;
    if (this.#oldest < this.#queue.length / 2) return;
    this.#queue = this.#queue.slice(this.#oldest);
    this.#oldest = 0;
  }

  #scheduleSweep(): void {
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined;
      this.#forgetExpired();
      if (this.#ended.size > 0) this.#scheduleSweep();
    }, this.#options.resumeWindowMs).unref();
  }

  #forgetExpired(): void {
    const limit = this.#options.now() - this.#options.resumeWindowMs;
    for (;;) {
      const oldest = this.#queue[this.#oldest];
      if (oldest === undefined || oldest.endedAt > limit) return;
      this.#forgetOldest();
    }
  }
}
