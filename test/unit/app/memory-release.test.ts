import { describe, expect, it } from 'vitest';
import { MemoryRelease } from '../../../src/app/memory-release.ts';
import { recordingLogger } from '../../support/quiet.ts';

const mebibyte = 2 ** 20;

/** A process of 100 MiB. After each collection 10 MiB more stay in use. */
function started() {
  const process = { resident: 100 * mebibyte, busy: 0, collections: 0 };
  const log = recordingLogger();
  const memory = {
    residentBytes: () => process.resident,
    busyShare: () => process.busy,
    collect: () => {
      process.collections += 1;
      process.resident = (100 + 10 * process.collections) * mebibyte;
    },
  };
  return { process, log, release: new MemoryRelease(memory, log) };
}

function looks(release: MemoryRelease): readonly boolean[] {
  return Array.from({ length: 5 }, () => release.check());
}

describe('memory after a rush (docs/reference/performance.md)', () => {
  it('is given back at the fourth quiet look, and the log says how much and how long it took', () => {
    const { process, log, release } = started();
    process.resident = 350 * mebibyte;
    expect(looks(release)).toEqual([false, false, false, true, false]);
    expect(log.lines).toEqual([
      {
        level: 'info',
        fields: { beforeMiB: 350, afterMiB: 110, tookMs: expect.any(Number) as number },
        message: 'memory was given back',
      },
    ]);
  });

  it('stays while anything runs, and through a single quiet moment', () => {
    const { process, release } = started();
    process.resident = 350 * mebibyte;
    for (const busy of [0.5, 0, 0, 0, 0.1, 0, 0, 0, 0.02]) {
      process.busy = busy;
      expect(release.check()).toBe(false);
    }
    expect(process.collections).toBe(0);
  });

  it('is not collected again for what is in use, but for the next rush', () => {
    const { process, release } = started();
    process.resident = 350 * mebibyte;
    expect(looks(release)).toEqual([false, false, false, true, false]);
    // The memory is less than a quarter above the memory that was left after the collection.
    process.resident = 130 * mebibyte;
    expect(looks(release)).toEqual([false, false, false, false, false]);
    process.resident = 300 * mebibyte;
    expect(looks(release)).toEqual([true, false, false, false, false]);
    expect(process.resident).toBe(120 * mebibyte);
  });
});
