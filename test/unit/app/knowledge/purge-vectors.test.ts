import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { purgingVectors } from '../../../../src/app/knowledge/purge-vectors.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

const hour = 60 * 60 * 1_000;
const day = 24 * hour;
const startedAt = 1_000 * day;

describe('vectors in the database are deleted (contract/document-folders.md#vectors-in-the-database)', () => {
  // proves configuration-5-91
  it('an hour after the start and once a day, when nobody has used them for 14 days', async () => {
    vi.useFakeTimers({ now: startedAt });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const purged: number[] = [];
    const purge = (unusedSince: number): Promise<number> => Promise.resolve(purged.push(unusedSince));
    const none = { find: vi.fn(), take: vi.fn(), release: vi.fn(), keep: vi.fn(), use: vi.fn() };
    const clock = { now: () => Date.now(), elapsed: () => performance.now() };
    const services = { log: recordingLogger(), metrics: recordingMetrics() };
    const resources = purgingVectors({ passageVectors: { ...none, purge } }, clock, services);
    await vi.advanceTimersByTimeAsync(hour - 1);
    expect(purged).toEqual([]);
    await vi.advanceTimersByTimeAsync(day);
    expect(purged).toEqual([startedAt + hour - 14 * day, startedAt + day - 14 * day]);
    for (const resource of resources) await resource.close();
    await vi.advanceTimersByTimeAsync(2 * day);
    expect(purged).toHaveLength(2);
    expect(purgingVectors({}, clock, services)).toEqual([]);
  });
});
