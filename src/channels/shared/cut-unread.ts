import type { ServerResponse } from 'node:http';

/** Bytes a millisecond, about 16 KiB a second. A client that reads a long answer more slowly is cut off. */
const slowestReading = 16;

/**
 * Cuts the socket of a client that does not read the rest of an answer: within `patienceMs`, and the time that a slow line needs for its
 * length. Until then the answer is in memory. Node itself waits for ever.
 */
export function cutUnread(response: ServerResponse, patienceMs: number): void {
  // Emitted once the whole answer was written, whether or not it is on its way.
  response.once('prefinish', () => {
    const { socket } = response;
    const left = socket?.writableLength ?? 0;
    if (socket === null || left === 0) return;
    const timer = setTimeout(() => socket.destroy(), patienceMs + left / slowestReading);
    response.once('close', () => {
      clearTimeout(timer);
    });
  });
}
