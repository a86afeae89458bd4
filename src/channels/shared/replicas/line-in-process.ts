import { Duplex } from 'node:stream';

/** Bytes. The other end is given no more at a time. */
const mostAtOnce = 64 * 1024;

/** One end of a line. What is written counts as written once the other end has read it. */
class LineEnd extends Duplex {
  #other: LineEnd | undefined;
  #taken: (() => void) | undefined;

  join(other: LineEnd): void {
    this.#other = other;
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, written: () => void): void {
    const next = (from: number): void => {
      if (from >= bytes.length) written();
      else this.#other?.give(bytes.subarray(from, from + mostAtOnce), () => next(from + mostAtOnce));
    };
    next(0);
  }

  override _final(ended: () => void): void {
    // An end that has finished may be destroyed, and the other one with it.
    this.#other?.once('end', ended);
    this.#other?.push(null);
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    destroyed(error);
    this.#other?.destroy();
  }

  give(bytes: Buffer, taken: () => void): void {
    this.#taken = taken;
    this.push(bytes);
  }
}

/**
 * The two ends of a line within this process. As on a line between two machines, and unlike a pair of Node's own, a long answer waits with
 * its writer until it is read, and a line whose one end is cut is gone for the other one.
 */
export function lineInProcess(): readonly [Duplex, Duplex] {
  const [one, other] = [new LineEnd(), new LineEnd()];
  one.join(other);
  other.join(one);
  return [one, other];
}
