import type { EventEmitter } from 'node:events';

export interface UploadRoomOptions {
  readonly maxPerCaller: number;
  readonly maxInAll: number;
}

const mebibyte = 1024 * 1024;
const defaults: UploadRoomOptions = { maxPerCaller: 32 * mebibyte, maxInAll: 128 * mebibyte };

/**
 * How many bytes are being received, by caller and in all. A body counts with the length it is announced with, from before its first
 * byte until it is whole or given up. The only upload of a caller, and the only one of all, is taken whatever its size:
 * the limit of its address bounds it.
 */
export class UploadRoom {
  readonly #options: UploadRoomOptions;
  readonly #perCaller = new Map<string, number>();
  #inAll = 0;

  constructor(options: UploadRoomOptions = defaults) {
    this.#options = options;
  }

  /** Counts the body of a request from now on; what there is no room for is not counted. */
  begin(caller: string, bytes: number, request: EventEmitter): 'caller' | 'all' | undefined {
    const ofCaller = this.#perCaller.get(caller) ?? 0;
    if (ofCaller > 0 && ofCaller + bytes > this.#options.maxPerCaller) return 'caller';
    if (this.#inAll > 0 && this.#inAll + bytes > this.#options.maxInAll) return 'all';
    this.#add(caller, bytes);
    // A request closes once its body is whole, or once its client has gone.
    request.once('close', () => {
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
