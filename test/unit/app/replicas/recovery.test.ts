import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Recovery } from '../../../../src/app/replicas/recovery.ts';
import { recordingLogger } from '../../../support/quiet.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function recovery(isShared = true) {
  const log = recordingLogger();
  return { log, recovery: new Recovery({ isShared, log }) };
}

describe('looking for what dead replicas have left (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-80
  it('is done every 5 s, step by step, and never twice at the same time', async () => {
    const { recovery: running } = recovery();
    const made: string[] = [];
    let finish = (): void => undefined;
    running.add({ name: 'first', run: () => Promise.resolve(made.push('first')) });
    running.add({
      name: 'slow',
      run: () => {
        made.push('slow');
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    running.start();
    expect(made).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(made).toEqual(['first', 'slow']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made).toEqual(['first', 'slow']);
    finish();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(made).toEqual(['first', 'slow', 'first', 'slow']);
    finish();
    await running.close();
  });

  // proves configuration-5-80
  it('goes on after a step that fails, and logs that once until it works', async () => {
    const { recovery: running, log } = recovery();
    const second = vi.fn(() => Promise.resolve());
    let isFailing = true;
    const first = (): Promise<void> => (isFailing ? Promise.reject(new Error('away')) : Promise.resolve());
    running.add({ name: 'first', run: first });
    running.add({ name: 'second', run: second });
    running.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([log.lines.length, second.mock.calls.length]).toEqual([1, 2]);
    isFailing = false;
    await vi.advanceTimersByTimeAsync(5_000);
    isFailing = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ of: 'first' }, { of: 'first' }]);
    await running.close();
  });

  // proves configuration-5-80
  it('ends as soon as the server is about to end, and the end waits for the step under way', async () => {
    const { recovery: running } = recovery();
    const step = Promise.withResolvers<undefined>();
    const next = vi.fn(() => Promise.resolve());
    running.add({ name: 'slow', run: () => step.promise });
    running.add({ name: 'next', run: next });
    running.start();
    await vi.advanceTimersByTimeAsync(5_000);
    let isDrained = false;
    const drained = running.drain().then(() => (isDrained = true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isDrained).toBe(false);
    step.resolve(undefined);
    await drained;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(next).not.toHaveBeenCalled();
  });

  // proves configuration-5-80
  it('is never done where one server at a time uses the storage', async () => {
    const { recovery: running } = recovery(false);
    const step = vi.fn(() => Promise.resolve());
    running.add({ name: 'step', run: step });
    running.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(step).not.toHaveBeenCalled();
  });
});
