import { expect, it } from 'vitest';
import { reconnectDelay } from '../../../../src/widget/transport/reconnect-delay.ts';

const least = (attempts: number, isAwaited = false): number => reconnectDelay(attempts, isAwaited, () => 0);
const most = (attempts: number, isAwaited = false): number => Math.round(reconnectDelay(attempts, isAwaited, () => 1));

// proves wire-10-89
it('waits longer from attempt to attempt, at most 30 s and the spread', () => {
  expect([1, 2, 3, 4, 5, 6, 100].map((attempts) => least(attempts))).toEqual([
    1000, 3000, 8000, 15_000, 30_000, 30_000, 30_000,
  ]);
});

// proves wire-10-89
it('is spread, so that pages do not come back all at once: idle ones over 3 s, those that wait for a reply over 250 ms', () => {
  expect(most(1)).toBe(1333);
  expect([least(0), most(0)]).toEqual([0, 3000]);
  expect(most(0, true)).toBe(250);
});

// proves wire-10-89
it('is spread before the line is restored as well, over less time than the loss is announced after', () => {
  expect([least(-1), most(-1)]).toEqual([0, 750]);
  expect(most(-1, true)).toBe(0);
});
