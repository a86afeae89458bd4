import { readFileSync } from 'node:fs';
import type { Metric, Sample } from '../sample.ts';
import type { Summary } from './statistics.ts';
import { summarise } from './statistics.ts';

/** One line of budget.json: a figure of a target, alone, divided by another's or minus another's, and its bound. */
export interface Goal {
  readonly id: string;
  readonly workload: string;
  readonly metric: Metric;
  readonly of: string;
  readonly to?: string;
  readonly minus?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** All goals. */
export interface Budget {
  /** The margin by which `--quick` may miss a ratio, because other programs run on its machine as well. */
  readonly quickMargin: number;
  readonly goals: readonly Goal[];
}

/** The result of a goal. */
export interface Outcome {
  readonly goal: Goal;
  /** Over the rounds; each round's figures are compared with the same round's. */
  readonly value: Summary;
  readonly isMet: boolean;
  /** A ratio of ours beyond its bound and margin. Absolute figures say more of the machine than of us. */
  readonly failsGate: boolean;
}

/** Reads budget.json. */
export function readBudget(): Budget {
  const text = readFileSync(new URL('../budget.json', import.meta.url), 'utf8');
  // The file belongs to this program; nobody else writes it.
  return JSON.parse(text) as Budget;
}

/** Judges every goal whose targets were measured. `margin` widens the gate, not the goal. */
export function judge(budget: Budget, samples: readonly Sample[], margin: number): Outcome[] {
  return budget.goals.flatMap((goal) => {
    const value = summarise(roundsOf(goal, samples));
    if (Number.isNaN(value.median)) return [];
    const failsGate = goal.to !== undefined && !keeps(goal, value.median, margin);
    return [{ goal, value, isMet: keeps(goal, value.median, 1), failsGate }];
  });
}

function keeps(goal: Goal, value: number, margin: number): boolean {
  return value <= (goal.atMost ?? Number.POSITIVE_INFINITY) * margin && value >= (goal.atLeast ?? 0) / margin;
}

function roundsOf(goal: Goal, samples: readonly Sample[]): number[] {
  const other = goal.to ?? goal.minus;
  return samples
    .filter((sample) => sample.workload === goal.workload && sample.target === goal.of)
    .map((sample) => {
      const own = sample.figures[goal.metric] ?? Number.NaN;
      if (other === undefined) return own;
      const beside = samples.find(
        ({ workload, target, round }) => workload === goal.workload && target === other && round === sample.round,
      );
      const compared = beside?.figures[goal.metric] ?? Number.NaN;
      return goal.to === undefined ? own - compared : own / compared;
    });
}
