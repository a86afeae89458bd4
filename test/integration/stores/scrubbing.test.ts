import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scrubbing } from '../../../src/adapters/stores/embedded/worker/scrubbing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Step = 'done' | 'more' | 'held' | 'fails';

function scrubbing(...steps: readonly Step[]) {
  let taken = 0;
  const made = new Scrubbing(() => {
    const step = steps[taken++] ?? 'done';
    if (step === 'fails') throw new Error('disk');
    return step;
  });
  return { made, taken: () => taken };
}

describe('the files of the storage after an erasure (contract/sessions.md#erasing)', () => {
  // proves service-2.9-83
  it('takes steps until nothing is left, and begins again with the next erasure', () => {
    const { made, taken } = scrubbing('more', 'held', 'fails', 'done');
    made.due();
    vi.advanceTimersByTime(999);
    expect(taken()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(taken()).toBe(1);
    vi.advanceTimersByTime(20);
    expect(taken()).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe(3);
    vi.advanceTimersByTime(60_000);
    expect(taken()).toBe(4);
    made.due();
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe(5);
  });

  it('are scrubbed once for many erasures of a second', () => {
    const { made, taken } = scrubbing();
    for (let count = 0; count < 10; count += 1) made.due();
    vi.advanceTimersByTime(60_000);
    expect(taken()).toBe(1);
  });

  it('are scrubbed at the end of the process, when that is due', () => {
    const { made, taken } = scrubbing('more', 'more', 'done');
    made.due();
    made.close();
    expect(taken()).toBe(3);
    vi.advanceTimersByTime(60_000);
    expect(taken()).toBe(3);
  });

  it('are left as they are at the end of the process otherwise, and where the disk fails', () => {
    const idle = scrubbing();
    idle.made.close();
    expect(idle.taken()).toBe(0);
    const failing = scrubbing('fails');
    failing.made.due();
    failing.made.close();
    expect(failing.taken()).toBe(1);
  });
});
