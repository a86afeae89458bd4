import type { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './client-network.ts';

export interface UploadRoomOptions {
  readonly maxPerCaller: number;
  readonly maxInAll: number;
}

const mebibyte = 1024 * 1024;
const defaults: UploadRoomOptions = { maxPerCaller: 32 * mebibyte, maxInAll: 128 * mebibyte };

/**
 * Counts the bytes that are under way, per caller and in all: those of bodies that are being received, or those of answers that are not read
 * yet. A body counts with its announced length, from before its first byte until it has arrived or was given up. The only upload of a caller,
 * and the only upload of all, are accepted at any size: the body limit of their route bounds them.
 */
export class UploadRoom {
  readonly #options: UploadRoomOptions;
  readonly #perCaller = new Map<string, number>();
  #inAll = 0;

  constructor(options: UploadRoomOptions = defaults) {
    this.#options = options;
  }

  /**
   * Counts the body of a request, or an answer, from now on. When there is no room for it, it is not counted, and the result names the limit.
   */
  begin(caller: string, bytes: number, underWay: EventEmitter): 'caller' | 'all' | undefined {
    const ofCaller = this.#perCaller.get(caller) ?? 0;
    if (ofCaller > 0 && ofCaller + bytes > this.#options.maxPerCaller) return 'caller';
    if (this.#inAll > 0 && this.#inAll + bytes > this.#options.maxInAll) return 'all';
    this.#add(caller, bytes);
    // A request closes once its body is whole, an answer once it was read, and both once their client has gone.
    underWay.once('close', () => {
      this.#add(caller, -bytes);
    });
    return undefined;
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
