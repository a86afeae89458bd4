import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadersFirst } from '../../../../src/core/replicas/readers-first.ts';
import { readReleased, type ReleasedIds, sentReleased } from '../../../../src/core/replicas/turn-messages.ts';

/** These turns as one replica tells them and another one hears them. */
function told(turnIds: readonly string[], isRead: boolean): ReleasedIds {
  return readReleased(JSON.parse(JSON.stringify(sentReleased(turnIds.map((turnId) => ({ turnId, isRead }))))));
}

describe('turns that another replica lets go of (contract/replicas.md#turns)', () => {
  // proves wire-10-99
  it('are left to the replicas of their readers first, each for the same time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const taken: string[][] = [];
    const readersFirst: ReadersFirst = new ReadersFirst({
      these: (turnIds) => taken.push([...turnIds]),
      all: () => taken.push(['t1', 't2', 'unnamed'].filter((turnId) => !readersFirst.isLeft(turnId))),
    });
    readersFirst.released(told(['t1'], true));
    await vi.advanceTimersByTimeAsync(300);
    readersFirst.released(told(['t2'], true));
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

  // proves wire-10-53
  it('are taken up at once where nobody reads them, and no others with them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const [these, all] = [vi.fn<(turnIds: readonly string[]) => void>(), vi.fn<() => void>()];
    const readersFirst = new ReadersFirst({ these, all });
    readersFirst.released(told(['t1', 't2'], false));
    readersFirst.released(told(['t3'], false));
    expect(these.mock.calls).toEqual([[['t1', 't2']], [['t3']]]);
    expect(['t1', 't2', 't3'].some((turnId) => readersFirst.isLeft(turnId))).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(all).not.toHaveBeenCalled();
  });

  it('may have been let go of by a version that names none: those are taken up later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const [these, all] = [vi.fn<() => void>(), vi.fn<() => void>()];
    new ReadersFirst({ these, all }).released(readReleased(null));
    await vi.advanceTimersByTimeAsync(600);
    expect(all).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(all).toHaveBeenCalledTimes(1);
    expect(these).not.toHaveBeenCalled();
  });
});
