import { describe, expect, it } from 'vitest';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { at, joinedBuses } from '../../support/bus/opened-buses.ts';

/** Milliseconds by which the clocks of replicas may differ (contract/replicas.md#connections). */
const apartMs = 30_000;

const clockWith = (offsetMs: number) => ({ now: () => Date.now() + offsetMs, elapsed: () => performance.now() });

describe('news (contract/replicas.md#news)', () => {
  // proves configuration-5-93
  it.each([
    ['behind', -apartMs],
    ['ahead', apartMs],
  ])(
    'reach a replica that has just started from one whose clock is half a minute %s, once',
    async (_title, offsetMs) => {
      const exchange = new InProcessExchange();
      const [telling] = await joinedBuses(exchange, 1, { clock: clockWith(offsetMs) });
      const started = at(await joinedBuses(exchange, 1), 0);
      const heard: unknown[] = [];
      started.onTold('turns.released', (body) => heard.push(body));
      await telling?.tell('turns.released', 1);
      await telling?.tell('turns.released', 2);
      await expect.poll(() => heard).toEqual([1, 2]);
      expect(started.dropped.size).toBe(0);
    },
  );
});
