import type { OnReadOpts, Socket } from 'node:net';

/** The size of a read in Node itself. */
const maxReadBytes = 64 * 1024;

/**
 * The `onread` of sockets that read into the same memory, one after the other, and keep a copy of what came. By itself
 * Node gives every read 64 KiB of memory and an object around it, for a token of 300 bytes (speed is measured by
 * `npm run bench`).
 */
export function sharedReadBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(maxReadBytes),
    // Called as a method of the socket, whose own handling of what was read this is, but for the copy.
    callback(this: Socket, length: number, shared: Uint8Array) {
      const bytes = Buffer.allocUnsafe(length);
      bytes.set(length === shared.length ? shared : shared.subarray(0, length));
      return this.push(bytes);
    },
  };
}
