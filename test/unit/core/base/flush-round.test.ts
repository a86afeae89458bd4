import { describe, expect, it } from 'vitest';
import { FlushRound } from '../../../../src/core/base/flush-round.ts';

type Run = () => void;

/** A round whose event loop the test runs by hand. */
function roundOf() {
  const afterReads: Run[] = [];
  const atOnce: Run[] = [];
  const flushed: string[] = [];
  const round = new FlushRound(
    (run) => afterReads.push(run),
    (run) => atOnce.push(run),
  );
  const named = (name: string, then?: Run) => ({
    flush: () => {
      flushed.push(name);
      then?.();
    },
  });
  return { round, afterReads, atOnce, flushed, named };
}

describe('FlushRound (docs/architecture.md, one write for what one read brought)', () => {
  it('flushes all that was added while the loop read, once each and in order', () => {
    const { round, afterReads, atOnce, flushed, named } = roundOf();
    round.add(named('a'));
    round.add(named('b'));
    expect(flushed).toEqual([]);
    expect(afterReads).toHaveLength(1);
    afterReads[0]?.();
    afterReads[0]?.();
    expect(flushed).toEqual(['a', 'b']);
    expect(atOnce).toEqual([]);
  });

  it('flushes what is added during a round in the same round, and begins a new one after it', () => {
    const { round, afterReads, flushed, named } = roundOf();
    round.add(
      named('text', () => {
        round.add(named('connection'));
      }),
    );
    afterReads.shift()?.();
    expect(flushed).toEqual(['text', 'connection']);
    expect(afterReads).toEqual([]);
    round.add(named('next'));
    afterReads.shift()?.();
    expect(flushed).toEqual(['text', 'connection', 'next']);
  });

  it('does not wait for the rest of a crowd', () => {
    const { round, afterReads, atOnce, flushed, named } = roundOf();
    for (let index = 0; index < 31; index += 1) round.add(named('early'));
    expect(atOnce).toEqual([]);
    round.add(named('32nd'));
    expect(atOnce).toHaveLength(1);
    atOnce[0]?.();
    expect(flushed).toHaveLength(32);
    afterReads[0]?.();
    expect(flushed).toHaveLength(32);
  });

  it('begins anew after the last of a round has thrown', () => {
    const { round, afterReads, flushed, named } = roundOf();
    round.add({
      flush: () => {
        throw new Error('no way');
      },
    });
    expect(() => afterReads.shift()?.()).toThrow('no way');
    round.add(named('later'));
    afterReads.shift()?.();
    expect(flushed).toEqual(['later']);
  });

  it('flushes the others when one has thrown', () => {
    const { round, afterReads, flushed, named } = roundOf();
    const broken = named('broken', () => {
      throw new Error('no way');
    });
    round.add(broken);
    round.add(named('healthy'));
    expect(() => afterReads.shift()?.()).toThrow('no way');
    expect(flushed).toEqual(['broken']);
    afterReads.shift()?.();
    expect(flushed).toEqual(['broken', 'healthy']);
  });
});
