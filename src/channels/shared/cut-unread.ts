import type { ServerResponse } from 'node:http';
import { type Answer, isBehind, onceOver } from './once-over.ts';

/** Milliseconds a client may leave its buffer full before its stream is closed. */
export const stallTimeoutMs = 60_000;

/** Bytes a millisecond, about 16 KiB a second. A client that reads a long answer more slowly is cut off. */
const slowestReading = 16;

/** Milliseconds more than `patienceMs` that a client has which reads so many bytes slowly. A shorter patience is one with faster lines. */
export function slowlyMs(bytes: number, patienceMs: number): number {
  return (patienceMs / stallTimeoutMs) * (bytes / slowestReading);
}

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
 * Cuts an answer of which a program writes the next piece whenever there is room, once its client leaves the buffer full for `patienceMs` and
 * the time that a slow line needs for what is in it. The program, and all that it holds, would wait for ever.
 */
export function cutStalled(answer: Answer, patienceMs = stallTimeoutMs): void {
  const { raw } = answer;
  let full = { ms: 0, bytes: 0 };
  const empty = (): void => {
    full = { ms: 0, bytes: 0 };
  };
  raw.on('drain', empty);
  const lookMs = patienceMs / looks;
  const timer = setInterval(() => {
    if (!raw.writableNeedDrain || isBehind(raw)) {
      empty();
      return;
    }
    // Node counts a long piece as a whole until it is read to its end.
    full = { ms: full.ms + lookMs, bytes: Math.max(full.bytes, raw.writableLength) };
    if (full.ms > patienceMs + slowlyMs(full.bytes, patienceMs)) raw.destroy();
  }, lookMs);
  onceOver(answer, () => {
    clearInterval(timer);
  });
}
