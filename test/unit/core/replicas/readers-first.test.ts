import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadersFirst } from '../../../../src/core/replicas/readers-first.ts';

describe('turns that another replica lets go of (contract/replicas.md#turns)', () => {
  it('are left to the replicas of their readers first, each for the same time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const taken: string[][] = [];
    const readersFirst: ReadersFirst = new ReadersFirst(() => {
      taken.push(['t1', 't2', 'unnamed'].filter((turnId) => !readersFirst.isLeft(turnId)));
    });
    readersFirst.released(['t1']);
    await vi.advanceTimersByTimeAsync(300);
    readersFirst.released(['t2']);
    await vi.advanceTimersByTimeAsync(399);
    expect(readersFirst.isLeft('t1')).toBe(true);
    await vi.advanceTimersByTimeAsync(101);
    expect(taken).toEqual([['t1', 'unnamed']]);
    await vi.advanceTimersByTimeAsync(300);
    expect(taken).toEqual([
      ['t1', 'unnamed'],
      ['t1', 't2', 'unnamed'],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(taken).toHaveLength(2);
  });
});
