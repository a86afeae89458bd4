import { describe, expect, it } from 'vitest';
import { MovingTurns } from '../../../../src/core/turn/kept/moving-turns.ts';

/** Turns that leave a replica, by a clock that the test moves. `taken`: those that another replica has taken up. */
function moving(count: number, withinMs = 10_000) {
  const clock = { ms: 0 };
  const taken: string[] = [];
  const shared = { lost: () => Promise.resolve(taken) };
  const turns = new MovingTurns(shared, { count, withinMs, elapsed: () => clock.ms });
  const leave = (many: number): void => {
    for (let index = 0; index < many; index += 1) turns.add({ turnId: `t${String(index)}`, epoch: 1 });
  };
  return { turns, clock, taken, leave };
}

describe('turns on their way to other replicas (contract/replicas.md#turns)', () => {
  // proves wire-10-98
  it('make room for as many others as were taken up', async () => {
    const { turns, taken, leave } = moving(100);
    expect(await turns.room()).toBe(32);
    leave(32);
    expect(await turns.room()).toBe(0);
    taken.push('t3', 't7');
    expect(await turns.room()).toBe(2);
  });

  // proves wire-10-98
  it('hold the others up for a second at most', async () => {
    const { turns, clock, leave } = moving(100);
    leave(32);
    clock.ms = 900;
    expect(await turns.room()).toBe(0);
    clock.ms = 1_100;
    expect(await turns.room()).toBe(32);
  });

  // proves wire-10-98
  it('are more at a time where there are many, and all that are left once the time for them is over', async () => {
    const { turns, clock } = moving(10_000);
    expect(await turns.room()).toBe(150);
    clock.ms = 10_000;
    expect(await turns.room()).toBe(Infinity);
  });

  it('are no more at a time while the store does not say which were taken up', async () => {
    const shared = { lost: () => Promise.reject(new Error('busy')) };
    const turns = new MovingTurns(shared, { count: 1, withinMs: 10_000, elapsed: () => 0 });
    turns.add({ turnId: 't1', epoch: 1 });
    expect(await turns.room()).toBe(31);
  });
});
