import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { scalingGuide, writtenScalingGuide } from '../../../scripts/scaling.ts';
import { readFigures } from '../../bench/scaling/scaling-tables.ts';
import { connectionsPerReplica, sizeFor } from '../../bench/scaling/sizing.ts';

describe('the tables of docs/guides/scaling.md', () => {
  // proves wire-10-88
  it('are not stale; else run npm run generate', async () => {
    expect(await readFile(scalingGuide, 'utf8')).toBe(await writtenScalingGuide());
  });

  it('have a replica to spare, whether connections or turns need most of them', async () => {
    const { durable } = await readFigures();
    const demand = { connections: 100_000, secondsBetweenMessages: 300, replySeconds: 10 };
    const quiet = sizeFor({ ...demand, secondsBetweenMessages: 3_000 }, durable);
    expect([quiet.replicas, quiet.because]).toEqual([100_000 / connectionsPerReplica + 1, 'connections']);
    const busy = sizeFor({ ...demand, secondsBetweenMessages: 1 }, durable);
    expect(busy.because).toBe('turns');
    expect(busy.replicas).toBeGreaterThan(quiet.replicas);
    expect(busy.cpuPerReplica).toBeLessThanOrEqual(0.5);
    expect(busy.transactionsPerSecond).toBeGreaterThan(quiet.transactionsPerSecond * 100);
  });

  it('let nobody wait for longer than the model holds, after a replica has died', async () => {
    const { durable } = await readFigures();
    for (const connections of [10_000, 100_000, 1_000_000]) {
      const { afterADeath } = sizeFor({ connections, secondsBetweenMessages: 300, replySeconds: 10 }, durable);
      expect(afterADeath.longestWaitMs).toBeLessThanOrEqual(5_000);
    }
  });
});
