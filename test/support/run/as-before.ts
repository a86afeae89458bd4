import { expect } from 'vitest';
import { boundFetchedLines } from '../../../src/adapters/models/langchain/bounded-fetch.ts';

/**
 * The files of a worker share one process. A file that leaves another clock, other timers or another `fetch` behind makes the files after it
 * red by luck, so the next file says which one it was.
 */
interface Before {
  readonly values: readonly unknown[];
  lastFile: string;
}

const watched: readonly (readonly [of: object, name: string])[] = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask'].map(
    (name) => [globalThis, name] as const,
  ),
  ...['Date', 'fetch', 'WebSocket', 'EventSource'].map((name) => [globalThis, name] as const),
  ...[
    [Date, 'now'] as const,
    [performance, 'now'] as const,
    [AbortSignal, 'timeout'] as const,
    [Math, 'random'] as const,
  ],
];

// The server replaces `fetch` once for a process. Here that comes first, so that it is the same for all files.
boundFetchedLines();

const key = Symbol.for('helper.tests.before');
const holder = globalThis as { [key]?: Before };
const file = expect.getState().testPath ?? 'a file without a path';
const values = [...watched.map(([of, name]): unknown => Reflect.get(of, name)), process.cwd()];
const before = (holder[key] ??= { values, lastFile: file });
const changed = values.flatMap((value, index) =>
  value === before.values[index] ? [] : [watched[index]?.[1] ?? 'the working directory'],
);
if (changed.length > 0) throw new Error(`${before.lastFile} has not put back: ${changed.join(', ')}`);
before.lastFile = file;
