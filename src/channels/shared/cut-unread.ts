import type { ServerResponse } from 'node:http';
import { type Answer, onceOver } from './once-over.ts';
import { stallTimeoutMs } from './stream-body.ts';

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

/** Looks at an answer in the time for which its buffer may be full. */
const looks = 4;

/**
 * Cuts an answer of which a program writes the next piece whenever there is room, once its client leaves the buffer full for `patienceMs`. The
 * program, and all that it holds, would wait for ever.
 */
export function cutStalled(answer: Answer, patienceMs = stallTimeoutMs): void {
  const { raw } = answer;
  let fullLooks = 0;
  raw.on('drain', () => (fullLooks = 0));
  const timer = setInterval(() => {
    fullLooks = raw.writableNeedDrain ? fullLooks + 1 : 0;
    if (fullLooks > looks) raw.destroy();
  }, patienceMs / looks);
  onceOver(answer, () => {
    clearInterval(timer);
  });
}
