import { beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import type { FaultPlan } from '../support/faults/fault-plan.ts';
import {
  failingWithEveryWrite,
  fullDisk,
  killedAtEveryStep,
  outcomeNotWritten,
  stoppedAndApprovedLater,
} from '../support/faults/named-plans.ts';
import { foundFaults } from '../support/faults/oracle/found-faults.ts';
import { playPlan } from '../support/faults/played-plan.ts';
import { casesOf } from '../support/run/tier.ts';
import { isHere } from '../support/tools-here.ts';

const timeout = 600_000;
const everyMode = ['Native', 'Blocking'] as const;
const modes = casesOf('modes of confirmations whose storage fails', everyMode, (mode) => mode === 'Native');

/** Without the library that makes a disk fail, only kills can be played. */
const hasFailingDisk = isHere('compiler');

async function faultsOf(plan: FaultPlan): Promise<readonly string[]> {
  const told = await playPlan(plan, { isPreloading: hasFailingDisk });
  expect(told.questions.length).toBeGreaterThan(plan.lives.length / 4);
  return foundFaults(told).map(({ kind, says }) => `${kind}: ${says}`);
}

beforeAll(buildIfStale);

describe.concurrent('a turn whose process is killed (contract/restarts.md#storage-that-fails)', () => {
  // proves wire-5-84
  it.each(everyMode)('at every step is told to its end by the next one (%s)', { timeout }, async (mode) => {
    expect(await faultsOf(killedAtEveryStep(mode))).toEqual([]);
  });

  // proves wire-5-84
  it.each(modes)(
    'after its Stop was answered is over: its question takes no later approval (%s)',
    { timeout },
    async (mode) => {
      expect(await faultsOf(stoppedAndApprovedLater(mode, 'kills'))).toEqual([]);
    },
  );
});

describe
  .skipIf(!hasFailingDisk)
  .concurrent('a turn whose storage fails (contract/restarts.md#storage-that-fails; needs a C compiler, cc)', () => {
    // proves wire-5-85
    it.each(modes)(
      'at any write of an approval is told as it is: what was told not to have run never runs (%s)',
      { timeout },
      async (mode) => {
        expect(await faultsOf(failingWithEveryWrite(mode))).toEqual([]);
      },
    );

    // proves wire-5-85
    it.each(modes)('since the disk is full keeps to what it told (%s)', { timeout }, async (mode) => {
      expect(await faultsOf(fullDisk(mode))).toEqual([]);
    });

    // proves wire-5-85
    it.each(modes)(
      'while it is stopped is not told to be stopped, and an approval in a later process is told the truth (%s)',
      { timeout },
      async (mode) => {
        expect(await faultsOf(stoppedAndApprovedLater(mode, 'failing disk'))).toEqual([]);
      },
    );

    // proves wire-5-83
    it.each(modes)('once its action has run keeps the outcome that was told (%s)', { timeout }, async (mode) => {
      expect(await faultsOf(outcomeNotWritten(mode))).toEqual([]);
    });
  });
