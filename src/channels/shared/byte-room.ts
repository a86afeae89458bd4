import type { FastifyRequest } from 'fastify';
import { networkOf } from './client-network.ts';

export interface ByteRoomOptions {
  readonly maxPerCaller: number;
  readonly maxInAll: number;
}

const mebibyte = 1024 * 1024;
const defaults: ByteRoomOptions = { maxPerCaller: 32 * mebibyte, maxInAll: 128 * mebibyte };

/**
 * Counts the bytes that are under way, per caller and in all: those of bodies that are being received, or those of answers that are not read
 * yet. A body counts with its announced length, from before its first byte until it has arrived or was given up. The only upload of a caller,
 * and the only upload of all, are accepted at any size: the body limit of their route bounds them.
 */
export class ByteRoom {
  readonly #options: ByteRoomOptions;
  readonly #perCaller = new Map<string, number>();
  #inAll = 0;

  constructor(options: ByteRoomOptions = defaults) {
    this.#options = options;
  }

  /** The limit that leaves no room for these bytes, if there is one. */
  fullFor(caller: string, bytes: number): 'caller' | 'all' | undefined {
    const ofCaller = this.#perCaller.get(caller) ?? 0;
    if (ofCaller > 0 && ofCaller + bytes > this.#options.maxPerCaller) return 'caller';
    return this.#inAll > 0 && this.#inAll + bytes > this.#options.maxInAll ? 'all' : undefined;
  }

  /** Counts these bytes from now on, whether or not there is room for them. `onceOver` calls its argument once they count no more. */
  take(caller: string, bytes: number, onceOver: (over: () => void) => void): void {
    this.#add(caller, bytes);
    onceOver(() => {
      this.#add(caller, -bytes);
    });
  }

  #add(caller: string, bytes: number): void {
    this.#inAll += bytes;
    const ofCaller = (this.#perCaller.get(caller) ?? 0) + bytes;
    if (ofCaller > 0) this.#perCaller.set(caller, ofCaller);
    else this.#perCaller.delete(caller);
  }
}

/** Whose bytes they are. */
export function callerOfBytes({ helperCaller, ip }: FastifyRequest): string {
  const principal = helperCaller?.principal;
  return principal?.kind === 'signed-in' ? `user ${principal.userKey}` : `address ${networkOf(ip)}`;
}
