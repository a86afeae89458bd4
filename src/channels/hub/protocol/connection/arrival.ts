import type { Place } from './connection-places.ts';

/** Reserves room for this many bytes of unfinished messages. Undefined when there is no room for them. */
export type TakeArrivalRoom = (bytes: number) => Place | undefined;

/** Bytes of an unfinished message that are not counted. The number of open connections already limits them. */
const uncountedBytes = 64 * 1024;
/** Bytes of one step. Room is taken in steps, so that most chunks cost only one comparison. */
const stepBytes = 512 * 1024;

/** The message of one connection that has not arrived completely: its size so far, and the time since when it counts. */
export class Arrival {
  readonly #takeRoom: TakeArrivalRoom | undefined;
  readonly #onFull: () => void;
  #frameBytes = 0;
  #counted = 0;
  #place: Place | undefined;
  #since: number | undefined;

  /** `onFull` is called when there is no room for the bytes that came. Without `takeRoom` there is always room. */
  constructor(takeRoom: TakeArrivalRoom | undefined, onFull: () => void) {
    this.#takeRoom = takeRoom;
    this.#onFull = onFull;
  }

  /** When the message began to count; undefined while none does. */
  get since(): number | undefined {
    return this.#since;
  }

  /** Counts further bytes of a frame that has not arrived completely. */
  grow(bytes: number, now: number): void {
    this.#frameBytes += bytes;
    this.#count(this.#frameBytes, now);
  }

  /** Called when a frame has arrived completely. `held` is the size of the unfinished message that remains. */
  frameEnded(held: number, now: number): void {
    this.#frameBytes = 0;
    this.#count(held, now);
  }

  end(): void {
    this.#frameBytes = 0;
    this.#count(0, 0);
  }

  #count(bytes: number, now: number): void {
    const wanted = bytes <= uncountedBytes ? 0 : Math.ceil(bytes / stepBytes) * stepBytes;
    if (wanted === this.#counted) return;
    this.#place?.release();
    this.#place = undefined;
    this.#counted = wanted;
    if (wanted === 0) this.#since = undefined;
    else this.#since ??= now;
    if (wanted === 0 || this.#takeRoom === undefined) return;
    this.#place = this.#takeRoom(wanted);
    if (this.#place === undefined) this.#onFull();
  }
}
