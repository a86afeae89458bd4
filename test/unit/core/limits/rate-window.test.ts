import { describe, expect, it } from 'vitest';
import { RateWindow } from '../../../../src/core/limits/rate-window.ts';

function rateWindow(options: { readonly max: number; readonly capacity?: number }) {
  const clock = { now: 5000 };
  const window = new RateWindow({ windowMs: 1000, now: () => clock.now, ...options });
  return { clock, window };
}

describe('RateWindow (contract/limits.md#messages)', () => {
  // proves wire-2-51
  it('begins with the first time and is fixed: later ones do not move it', () => {
    const { clock, window } = rateWindow({ max: 2 });
    expect(window.take('a')).toBe(0);
    clock.now += 900;
    expect(window.take('a')).toBe(0);
    expect(window.take('a')).toBe(100);
    clock.now += 99;
    expect(window.take('a')).toBe(1);
    clock.now += 1;
    expect([window.take('a'), window.take('a'), window.take('a')]).toEqual([0, 0, 1000]);
  });

  // proves wire-2-52
  it('does not count what it refuses', () => {
    const { clock, window } = rateWindow({ max: 1 });
    window.take('a');
    for (let times = 0; times < 50; times += 1) expect(window.take('a')).toBe(1000);
    clock.now += 1000;
    expect(window.take('a')).toBe(0);
  });

  it('counts each key by itself', () => {
    const { window } = rateWindow({ max: 1 });
    expect([window.take('a'), window.take('b'), window.take('a')]).toEqual([0, 0, 1000]);
  });

  it('forgets the oldest window, and only that, when there are too many keys', () => {
    const { clock, window } = rateWindow({ max: 1, capacity: 2 });
    for (const key of ['a', 'b', 'c']) {
      window.take(key);
      clock.now += 1;
    }
    expect([window.take('c'), window.take('b')]).toEqual([999, 998]);
    expect(window.take('a')).toBe(0);
  });
});
