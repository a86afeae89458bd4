import { describe, expect, it } from 'vitest';
import { TopTurns } from '../../../../src/adapters/hourly-metrics/top-turns.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = Date.parse('2026-11-22T10:00:00Z');
const always = { from: 0, to: Number.MAX_SAFE_INTEGER };

function counted() {
  const clock = { now: start };
  const prices = { gpt: { inputPer1M: 2, outputPer1M: 10 } };
  const turns = new TopTurns(
    () => clock.now,
    () => prices,
  );
  const add = (turnId: string, durationMs: number, tokens = 0, more: object = {}): void => {
    const usage = { inputTokens: tokens, outputTokens: 0, model: 'gpt' };
    const turn = { channel: 'hub', status: 'completed', code: undefined, firstTokenMs: undefined } as const;
    turns.add({ ...turn, turnId, durationMs, usage, ...more });
  };
  const ids = (name: 'slowest' | 'dearest', range = always): readonly string[] =>
    turns.report(range)[name].map(({ turnId }) => turnId);
  return { clock, turns, add, ids };
}

describe('the slowest and the dearest turns (contract/operations.md#dashboard)', () => {
  // proves service-13-22
  it('are ten of each, the first one first, without those that were refused', () => {
    const { add, ids, turns } = counted();
    for (let index = 0; index < 30; index += 1) add(`t${String(index)}`, 1_000 + index, 500 - index);
    add('refused', 99_999, 99_999, { status: 'refused' });
    expect(ids('slowest')).toEqual(Array.from({ length: 10 }, (_, index) => `t${String(29 - index)}`));
    expect(ids('dearest')).toEqual(Array.from({ length: 10 }, (_, index) => `t${String(index)}`));
    expect(turns.report(always).dearest[0]).toEqual({
      ...{ turnId: 't0', at: '2026-11-22T10:00:00.000Z', channel: 'hub', status: 'completed', model: 'gpt' },
      ...{ durationMs: 1_000, inputTokens: 500, outputTokens: 0, cost: 0.001 },
    });
  });

  // proves service-13-22
  it('are compared by their cost, and without a price by their tokens', () => {
    const { add, ids, turns } = counted();
    const free = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 0, model: 'local' } });
    add('few', 1, 0, free(10));
    add('many', 1, 0, free(9_000));
    add('paid', 1, 20);
    expect(ids('dearest')).toEqual(['paid', 'many', 'few']);
    expect(turns.report(always).dearest.map(({ cost }) => cost)).toEqual([0.00004, null, null]);
  });

  // proves service-13-22
  it('are those of the range, and of no more than a day', () => {
    const { clock, turns, add, ids } = counted();
    add('first', 10);
    clock.now += 20 * minuteMs;
    add('second', 20);
    expect(ids('slowest', { from: start + minuteMs, to: clock.now + 1 })).toEqual(['second']);
    clock.now += 3 * hourMs;
    add('third', 5);
    expect(ids('slowest')).toEqual(['second', 'first', 'third']);
    clock.now = start + 25 * hourMs;
    expect(ids('slowest')).toEqual(['third']);
    clock.now += 10 * hourMs;
    expect([ids('slowest'), turns.isEmpty]).toEqual([[], true]);
  });
});
