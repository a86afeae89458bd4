import { describe, expect, it } from 'vitest';
import { AwaitedTurns } from '../../../../src/core/replicas/awaited-turns.ts';

describe('a wait for a turn that another replica lets go of (contract/replicas.md#turns)', () => {
  // proves wire-10-99
  it('ends at once for each who waits for this turn, also when that was told before the wait began', async () => {
    const awaited = new AwaitedTurns();
    const [one, two, other] = [awaited.begin('t1'), awaited.begin('t1'), awaited.begin('t2')];
    const first = one.within(60_000);
    awaited.released(['t1', 'unknown']);
    expect([await first, await two.within(60_000), await other.within(1)]).toEqual([true, true, false]);
  });

  it('hears nothing once it has ended, and ends with its signal', async () => {
    const awaited = new AwaitedTurns();
    const ended = awaited.begin('t1');
    ended.end();
    awaited.released(['t1']);
    expect(await ended.within(1)).toBe(false);
    const caller = new AbortController();
    const given = awaited.begin('t1').within(60_000, caller.signal);
    caller.abort(new Error('the reader has gone'));
    await expect(given).rejects.toThrow('the reader has gone');
  });
});
