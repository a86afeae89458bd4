import { expect, it } from 'vitest';
import { reconnectDelay, restoreDelay } from '../../../../src/widget/transport/reconnect-delay.ts';

const least = { random: () => 0 };
const most = { random: () => 1 };

it('waits longer from attempt to attempt, at most 30 s and the spread', () => {
  const delays = [1, 2, 3, 4, 5, 6, 100].map((attempt) => reconnectDelay(attempt, least));
  expect(delays).toEqual([1000, 3000, 8000, 15_000, 30_000, 30_000, 30_000]);
});

it('is spread, so that pages do not come back all at once: idle ones over 3 s, those that wait for a reply over 250 ms', () => {
  expect(reconnectDelay(1, most)).toBe(1333);
  expect([reconnectDelay(0, least), reconnectDelay(0, most)]).toEqual([0, 3000]);
  expect(reconnectDelay(0, { ...most, isAwaited: true })).toBe(250);
});

it('is spread before the line is restored as well, over less time than the loss is announced after', () => {
  expect([restoreDelay(least), restoreDelay(most)]).toEqual([0, 750]);
  expect(restoreDelay({ ...most, isAwaited: true })).toBe(0);
});
