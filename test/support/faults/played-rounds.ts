import { randomInt } from 'node:crypto';
import { buildIfStale } from '../../../scripts/build.ts';
import { hasCompiler } from './failing-disk.ts';
import { livesPerPlan, planOf, withoutFailingDisk } from './fault-plan.ts';
import { foundFaults } from './oracle/found-faults.ts';
import { sentencesOf } from './plan-sentences.ts';
import { playPlan } from './played-plan.ts';
import type { FoundFault, Told } from './told.ts';

/** Plans that are played side by side: the processes wait for disks and clients most of the time. */
const defaultAtOnce = 3;

/** One plan that was played. */
export interface PlayedPlan {
  readonly seed: number;
  readonly told: Told;
  readonly faults: readonly FoundFault[];
}

/** What is played: `seed` is one plan alone, `first` the seed of the first of plans that are the same each time. */
export interface PlayOptions {
  readonly rounds: number;
  readonly seed?: number | undefined;
  readonly first?: number | undefined;
  /** Plans side by side. Default 3. */
  readonly atOnce?: number | undefined;
}

/** Plays at least so many rounds, or the plan of one seed. A round is one process that ends by a fault. */
export async function playRounds(options: PlayOptions, onPlayed: (played: PlayedPlan) => void): Promise<void> {
  // The server is the built one: it starts in a fraction of the time.
  await buildIfStale();
  const isPreloading = hasCompiler();
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

/** What a person needs to see what happened, and to play it again. */
export function describeFailure({ seed, told, faults }: PlayedPlan): string {
  const list = faults.map(({ kind, says }) => `- ${kind}: ${says}`);
  return [`HELPER_FAULTS_SEED=${seed} plays this again:`, sentencesOf(told.plan), 'It found:', ...list].join('\n');
}

function seedsFor({ rounds, seed, first }: PlayOptions): number[] {
  if (seed !== undefined) return [seed];
  const length = Math.ceil(rounds / livesPerPlan);
  return Array.from({ length }, (_, index) => (first === undefined ? randomInt(2 ** 31) : first + index));
}
