import { randomInt } from 'node:crypto';
import { buildIfStale } from '../../../scripts/build.ts';
import { livesPerPlan, planOf, withoutFailingDisk } from './fault-plan.ts';
import { foundFaults } from './oracle/found-faults.ts';
import { sentencesOf } from './plan-sentences.ts';
import { playPlan } from './played-plan.ts';
import type { FoundFault, Told } from './told.ts';
import { isHere } from '../tools-here.ts';

/** The number of plans that run side by side. Their processes wait for disks and clients most of the time. */
const defaultAtOnce = 3;

/** One plan that was played. */
export interface PlayedPlan {
  readonly seed: number;
  readonly told: Told;
  readonly faults: readonly FoundFault[];
}

/** Which plans are played: `seed` names a single plan, and `first` is the first seed of a row of plans. */
export interface PlayOptions {
  readonly rounds: number;
  readonly seed?: number | undefined;
  readonly first?: number | undefined;
  /** The number of plans side by side. Default 3. */
  readonly atOnce?: number | undefined;
}

/** Plays at least `rounds` rounds, or the plan of one seed. A round is one process that ends by a fault. */
export async function playRounds(options: PlayOptions, onPlayed: (played: PlayedPlan) => void): Promise<void> {
  // The server runs from its build, which starts much faster than the sources.
  await buildIfStale();
  const isPreloading = isHere('compiler');
  const seeds = seedsFor(options);
  const play = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const plan = planOf(seed);
      const told = await playPlan(isPreloading ? plan : withoutFailingDisk(plan), { isPreloading });
      onPlayed({ seed, told, faults: foundFaults(told) });
    }
  };
  await Promise.all(Array.from({ length: options.atOnce ?? defaultAtOnce }, play));
}

/** What a person needs to understand the failure and to play it again. */
export function describeFailure({ seed, told, faults }: PlayedPlan): string {
  const list = faults.map(({ kind, says }) => `- ${kind}: ${says}`);
  return [`HELPER_FAULTS_SEED=${seed} plays this again:`, sentencesOf(told.plan), 'It found:', ...list].join('\n');
}

function seedsFor({ rounds, seed, first }: PlayOptions): number[] {
  if (seed !== undefined) return [seed];
  const length = Math.ceil(rounds / livesPerPlan);
  return Array.from({ length }, (_, index) => (first === undefined ? randomInt(2 ** 31) : first + index));
}
