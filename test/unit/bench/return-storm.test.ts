import { describe, expect, it } from 'vitest';
import { returnStorm } from '../../bench/scaling/return-storm.ts';
import { playReturn } from '../../bench/scaling/simulated-return.ts';

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How far the model may be from what is played: a part of the figure, for times and for clients. */
const margin = 0.03;

const losses = [
  { title: 'one of 3 replicas with 10,000 connections dies', clients: 3_333, awayMs: 0, replicas: 2, perReplica: 500 },
  { title: 'one of 11 replicas with 100,000 dies', clients: 9_091, awayMs: 0, replicas: 10, perReplica: 500 },
  { title: 'one of 101 replicas with 1,000,000 dies', clients: 9_901, awayMs: 0, replicas: 100, perReplica: 500 },
  {
    title: 'the balancer of 3 replicas is away for 2 s',
    clients: 10_000,
    awayMs: 2_000,
    replicas: 3,
    perReplica: 2_000,
  },
  {
    title: 'the balancer of 3 full replicas is away for 20 s',
    clients: 30_000,
    awayMs: 20_000,
    replicas: 3,
    perReplica: 1_000,
  },
  {
    title: 'a balancer is away for 10 s, and its replicas are slow',
    clients: 20_000,
    awayMs: 10_000,
    replicas: 4,
    perReplica: 900,
  },
  { title: 'a balancer is away for 60 s', clients: 50_000, awayMs: 60_000, replicas: 8, perReplica: 1_000 },
] as const;

describe('the model of how clients come back (contract/replicas.md#deploying)', () => {
  // proves wire-10-88
  it.each(losses)('says what is played with the pauses of the widget: $title', ({ replicas, perReplica, ...loss }) => {
    const takenPerSecond = replicas * perReplica;
    const model = returnStorm({ ...loss, takenPerSecond });
    const played = playReturn({ ...loss, takenPerSecond, replicas, random: seeded(7) });
    expect(played.givenUp).toBe(0);
    expect(played.byReplica.reduce((sum, count) => sum + count, 0)).toBe(loss.clients);
    const near = (value: number, expected: number, least: number): void => {
      expect(Math.abs(value - expected)).toBeLessThan(Math.max(expected * margin, least));
    };
    // What is left to chance has a second that is busier than the mean.
    near(model.askedPerSecond, played.askedPerSecond, 3 * Math.sqrt(played.askedPerSecond));
    near(model.backMs, played.backMs, 100);
    near(model.longestWaitMs, played.longestWaitMs, 100);
  });

  it('holds no longer where it says that somebody waits for more than 10 s', () => {
    const loss = { clients: 30_000, awayMs: 0, takenPerSecond: 1_000 };
    expect(returnStorm(loss).longestWaitMs).toBeGreaterThan(10_000);
    expect(playReturn({ ...loss, replicas: 2, random: seeded(1) }).givenUp).toBeGreaterThan(0);
  });

  it('spreads those who come back over seconds, and over more of them the longer the balancer was away', () => {
    const asked = (awayMs: number): number =>
      returnStorm({ clients: 100_000, awayMs, takenPerSecond: 1e6 }).askedPerSecond / 100_000;
    expect(asked(0)).toBeCloseTo(1 / 3, 2);
    expect(asked(5_500)).toBeLessThan(0.4);
    expect(asked(20_000)).toBeLessThan(0.25);
  });
});
