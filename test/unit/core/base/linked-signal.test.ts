import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linkedSignal } from '../../../../src/core/base/linked-signal.ts';

describe('a linked signal', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('aborts with the other signal, even with one that has aborted before, and with its reason', () => {
    const stop = new AbortController();
    const early = linkedSignal(stop.signal, null);
    stop.abort(new Error('stopped'));
    const late = linkedSignal(stop.signal, null);
    for (const { signal } of [early, late]) expect(signal.reason).toEqual(new Error('stopped'));
    expect([early.isLate, late.isLate]).toEqual([false, false]);
  });

  it('aborts after its time, and says that it was late', () => {
    const linked = linkedSignal(new AbortController().signal, 50);
    vi.advanceTimersByTime(49);
    expect(linked.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([linked.signal.aborted, linked.isLate]).toEqual([true, true]);
  });

  it('is not late when something else has aborted it before its time', () => {
    const linked = linkedSignal(new AbortController().signal, 50);
    linked.abort(new Error('decided'));
    vi.advanceTimersByTime(50);
    expect([linked.signal.reason, linked.isLate]).toEqual([new Error('decided'), false]);
  });

  it('has no timer and no listener left once it is released', () => {
    const stop = new AbortController();
    const linked = linkedSignal(stop.signal, 50);
    linked.release();
    expect(vi.getTimerCount()).toBe(0);
    stop.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});
