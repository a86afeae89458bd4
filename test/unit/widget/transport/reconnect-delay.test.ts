import { expect, it } from 'vitest';
import { reconnectDelay } from '../../../../src/widget/transport/reconnect-delay.ts';

it('waits longer from attempt to attempt, at most 30 s and the spread', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 100].map((attempt) => reconnectDelay(attempt, () => 0));
  expect(delays).toEqual([0, 1000, 3000, 8000, 15_000, 30_000, 30_000, 30_000]);
});

it('is spread by up to a third, so that pages do not come back all at once', () => {
  expect(reconnectDelay(1, () => 1)).toBe(1333);
  expect(reconnectDelay(0, () => 1)).toBe(0);
});
