import type { OnReadOpts, Socket } from 'node:net';

/** The size of a read in Node itself. */
const maxReadBytes = 64 * 1024;

/**
 * The `onread` of sockets. The sockets read into the same memory, one after the other, and keep only a copy of the bytes. Without it, Node
 * gives each read 64 KiB of memory and an object around it, even for a token of 300 bytes (`npm run bench` measures the speed).
 */
export function sharedReadBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(maxReadBytes),
    // Called as a method of the socket. It does the same as the socket's own handling of a read, but copies the bytes first.
    callback(this: Socket, length: number, shared: Uint8Array) {
      const bytes = Buffer.allocUnsafe(length);
      bytes.set(length === shared.length ? shared : shared.subarray(0, length));
      return this.push(bytes);
    },
  };
}
