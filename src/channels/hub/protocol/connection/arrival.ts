import type { Place } from './connection-places.ts';

/** Says how many bytes of unfinished messages may be on their way. Undefined: no room for that many. */
export type TakeArrivalRoom = (bytes: number) => Place | undefined;

/** Unfinished messages up to this size are not counted: the connections that may be open bound them. */
const uncountedBytes = 64 * 1024;
/** Room is taken in steps, so that most chunks cost one comparison. */
const stepBytes = 512 * 1024;

/** The message of one connection that is still on its way: what it holds, and since when. */
export class Arrival {
  readonly #takeRoom: TakeArrivalRoom | undefined;
  readonly #onFull: () => void;
  #frameBytes = 0;
  #counted = 0;
  #place: Place | undefined;
  #since: number | undefined;

  /** `onFull` is called when there is no room for what came. Without `takeRoom` there always is. */
  constructor(takeRoom: TakeArrivalRoom | undefined, onFull: () => void) {
    this.#takeRoom = takeRoom;
    this.#onFull = onFull;
  }

  /** When the message began to count; undefined while none does. */
  get since(): number | undefined {
    return this.#since;
  }

  /** More bytes of a frame that is not whole yet. */
  grow(bytes: number, now: number): void {
    this.#frameBytes += bytes;
    this.#count(this.#frameBytes, now);
  }

  /** A frame is whole; of the message it belongs to so much is `held`. */
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
