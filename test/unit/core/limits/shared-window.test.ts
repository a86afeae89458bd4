import { describe, expect, it } from 'vitest';
import { SharedWindow } from '../../../../src/core/limits/shared-window.ts';
import { BusAway } from '../../../../src/core/ports/bus-away.ts';
import type { SharedCount } from '../../../../src/core/ports/replica-bus.ts';

/** A counter that several replicas share, as Redis keeps it, and a clock. */
class SharedCounter {
  now = 0;
  isUp = true;
  /** Answers no more, although nobody has noticed yet. */
  isFrozen = false;
  readonly keys: string[] = [];
  readonly #counts = new Map<string, { readonly endsAt: number; used: number }>();

  count(key: string, windowMs: number, max: number): Promise<SharedCount> {
    if (this.isFrozen) return Promise.reject(new BusAway('Redis: Command timed out'));
    this.keys.push(key);
    let window = this.#counts.get(key);
    if (window === undefined || window.endsAt <= this.now) {
      window = { endsAt: this.now + windowMs, used: 0 };
      this.#counts.set(key, window);
    }
    const isWithin = window.used < max;
    if (isWithin) window.used += 1;
    return Promise.resolve({ isWithin, leftMs: window.endsAt - this.now });
  }

  /** What one replica counts with. */
  window(max: number, name = 'messages'): SharedWindow {
    return new SharedWindow({ max, windowMs: 1_000, now: () => this.now, bus: this, name });
  }
}

/** What came of so many attempts: the milliseconds until the next one would be allowed. */
async function takes(window: SharedWindow, attempts: number, key = 'ann'): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) waits.push(await window.take(key));
  return waits;
}

describe('a window that replicas count together (contract/replicas.md#limits)', () => {
  it('lets as many through as one server would, wherever they come to', async () => {
    const counter = new SharedCounter();
    const [one, other] = [counter.window(3), counter.window(3)];
    expect(await takes(one, 2)).toEqual([0, 0]);
    counter.now = 400;
    expect(await takes(other, 2)).toEqual([0, 600]);
    expect(await takes(one, 1, 'bob')).toEqual([0]);
    counter.now = 1_000;
    expect(await takes(other, 4)).toEqual([0, 0, 0, 1_000]);
  });

  // proves configuration-5-74
  it('counts by itself while the bus is away, with what it has let through before', async () => {
    const counter = new SharedCounter();
    const [one, other] = [counter.window(3), counter.window(3)];
    await takes(one, 2);
    counter.isUp = false;
    expect(await takes(one, 2)).toEqual([0, 1_000]);
    expect(await takes(other, 4)).toEqual([0, 0, 0, 1_000]);
  });

  it('counts by itself when the bus does not answer', async () => {
    const counter = new SharedCounter();
    const window = counter.window(2);
    counter.isFrozen = true;
    expect(await takes(window, 3)).toEqual([0, 0, 1_000]);
  });

  it('does not wait for anybody while the bus is away', () => {
    const counter = new SharedCounter();
    counter.isUp = false;
    expect(counter.window(1).take('ann')).toBe(0);
  });

  it('does not refuse by its own count what all replicas together let through', async () => {
    const counter = new SharedCounter();
    const [one, other] = [counter.window(2), counter.window(2)];
    await takes(one, 1);
    counter.now = 900;
    // The window of the other replica begins here, and that of all replicas ends soon.
    await takes(other, 1);
    counter.now = 1_000;
    expect(await takes(other, 2)).toEqual([0, 0]);
  });

  // proves configuration-5-75
  it('lets one more through in the same window for one that was taken back', async () => {
    const counter = new SharedCounter();
    const window = counter.window(2);
    await takes(window, 2);
    window.giveBack('ann');
    expect(await takes(window, 2)).toEqual([0, 1_000]);
    window.giveBack('ann');
    counter.now = 1_000;
    expect(await takes(window, 3)).toEqual([0, 0, 1_000]);
  });

  // proves configuration-5-73
  it('gives each kind of attempt its own count', async () => {
    const counter = new SharedCounter();
    await takes(counter.window(1, 'messages'), 1);
    expect(await takes(counter.window(1, 'calls'), 1)).toEqual([0]);
    expect(new Set(counter.keys).size).toBe(2);
  });
});
