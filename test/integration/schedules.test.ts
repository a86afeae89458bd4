import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { rounds, seedOf } from '../support/run/tier.ts';
import { HeldClock } from '../support/schedules/held-clock.ts';
import { outcomeFaults } from '../support/schedules/outcome-faults.ts';
import { plannedModel } from '../support/schedules/planned-model.ts';
import { playSchedule, type Stage } from '../support/schedules/played-schedule.ts';
import type { Seen } from '../support/schedules/seen.ts';
import { type Schedule, scheduleArbitrary } from '../support/schedules/steps.ts';
import { writeFaults } from '../support/schedules/write-faults.ts';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { makeToken } from '../support/tokens.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/** `HELPER_SCHEDULES=5000` plays so many; `HELPER_SCHEDULES_SEED` plays those of a failure again. */
const numRuns = rounds({
  what: 'schedules on the hub and server-sent events',
  short: 12,
  long: 400,
  variable: 'HELPER_SCHEDULES',
});
/** Both properties have one seed, so that they hold the same schedules against what was seen. */
const seed = seedOf('HELPER_SCHEDULES_SEED');
const parameters = { numRuns, seed };
/** What was seen of each schedule that has been played. */
const played = new Map<string, Seen>();

const weekSeconds = 7 * 24 * 60 * 60;

let folder: string;
let model: ScriptedModel;
let stage: Omit<Stage, 'folder' | 'clock'>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helper-schedules-'));
  const load = { requests: 0, inFlight: 0 };
  model = await startScriptedModel({ otherwise: plannedModel(load) });
  const expiresAt = Math.floor(Date.now() / 1000) + weekSeconds;
  const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub }, { expiresAt })));
  stage = { modelUrl: model.url, model: load, tokens: { ann, bob, nobody: undefined } };
});

afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

async function holds(faultsOf: (seen: Seen) => readonly string[]): Promise<void> {
  const property = fc.asyncProperty(scheduleArbitrary, async (schedule: Schedule) => {
    const faults = faultsOf(await seenOf(schedule));
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  await fc.assert(property, parameters);
}

/** Plays each schedule once, for whichever property asks first. */
async function seenOf(schedule: Schedule): Promise<Seen> {
  const key = JSON.stringify(schedule);
  const seen = played.get(key) ?? (await play(schedule));
  played.set(key, seen);
  return seen;
}

async function play(schedule: Schedule): Promise<Seen> {
  const own = mkdtempSync(join(folder, 'schedule-'));
  const clock = new HeldClock();
  try {
    return await playSchedule(schedule, { ...stage, clock, folder: own });
  } finally {
    clock.restore();
    rmSync(own, { recursive: true, force: true });
  }
}

describe('whatever happens on hub and SSE, in whatever order, whenever the server ends (contract/events.md#order, contract/confirmations.md and contract/restarts.md#stopping)', () => {
  const timeout = testLimitMs + numRuns * 4000;

  // proves wire-5-22, wire-5-23, wire-5-42
  it('no write executes without exactly one matching approval', { timeout }, () => holds(writeFaults));

  // proves wire-5-27
  it('every request for confirmation ends in exactly one outcome', { timeout }, () => holds(outcomeFaults));
});
