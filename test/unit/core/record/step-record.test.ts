import { describe, expect, it } from 'vitest';
import { StepRecord } from '../../../../src/core/record/step-record.ts';

describe('the record of the steps of a turn', () => {
  it('runs an effect once: run again with its record, a turn gets what was recorded and nothing runs', async () => {
    const record = new StepRecord();
    expect(await record.step('a/model', () => Promise.resolve({ text: 'Hi.' }))).toEqual({ text: 'Hi.' });
    expect(record.now('a/at', () => 7)).toBe(7);
    const again = new StepRecord(record.entries());
    const runs = (): never => {
      throw new Error('it ran again');
    };
    expect(await again.step('a/model', runs)).toEqual({ text: 'Hi.' });
    expect(again.now('a/at', runs)).toBe(7);
    expect([record.isReplay, again.isReplay]).toEqual([false, true]);
  });

  it('does not record a rejection: run again, the effect runs', async () => {
    const record = new StepRecord();
    await expect(record.step('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(record.has('a')).toBe(false);
    expect(await new StepRecord(record.entries()).step('a', () => Promise.resolve('now'))).toBe('now');
  });

  it('has no two steps under one key, whether it is recorded or not', async () => {
    const record = new StepRecord([['a', 1]]);
    expect(record.now('a', () => 2)).toBe(1);
    expect(() => record.now('a', () => 2)).toThrow('two steps of one turn have the key a');
    await expect(record.step('a', () => Promise.resolve(2))).rejects.toThrow('two steps of one turn');
  });

  it('keeps the first value of a key, and tells of each value once', () => {
    const record = new StepRecord();
    const told: unknown[] = [];
    record.onPut = (key, value) => told.push([key, value]);
    record.put('stop', 'user');
    record.put('stop', 'draining');
    expect(record.get('stop')).toBe('user');
    expect(told).toEqual([['stop', 'user']]);
  });

  it('knows what stood in it before this run, and what lies below a path', () => {
    const record = new StepRecord([['c/0/call/x/asked', true]]);
    record.put('c/1/model', {});
    expect([record.inherited('c/0/call/x/asked'), record.inherited('c/1/model')]).toEqual([true, false]);
    expect([record.hasBelow('c/0/call/'), record.hasBelow('c/1/call/')]).toEqual([true, false]);
  });
});
