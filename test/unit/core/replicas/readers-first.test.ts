import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadersFirst } from '../../../../src/core/replicas/readers-first.ts';

describe('turns that another replica lets go of (contract/replicas.md#turns)', () => {
  it('are left to the replicas of their readers first, each for the same time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const taken: string[][] = [];
    const readersFirst = new ReadersFirst((leaveOut) => {
      taken.push(['t1', 't2', 'unnamed'].filter((turnId) => !leaveOut(turnId)));
      return Promise.resolve();
    });
    readersFirst.released(['t1']);
    await vi.advanceTimersByTimeAsync(500);
    readersFirst.released(['t2']);
    await vi.advanceTimersByTimeAsync(199);
    expect(taken).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(taken).toEqual([['t1', 'unnamed']]);
    await vi.advanceTimersByTimeAsync(700);
    expect(taken).toEqual([
      ['t1', 'unnamed'],
      ['t1', 't2', 'unnamed'],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(taken).toHaveLength(2);
  });
});
