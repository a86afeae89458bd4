import { expect, it } from 'vitest';
import { flushInterval } from '../../../../src/widget/markdown/flush-interval.ts';

it.each([
  ['a fast machine draws thirty times a second', 0.5, 100, 33],
  ['a slow one leaves most of its time to the page', 10, 100, 120],
  ['a long block is drawn less often', 1, 4000, 100],
  ['nobody waits longer than a quarter of a second', 100, 100_000, 250],
])('%s', (_title, cost, length, expected) => {
  expect(flushInterval(cost, length)).toBe(expected);
});
