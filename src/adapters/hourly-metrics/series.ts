/** What is counted by the hour, and by which names. `…Ms` are counts of durations by bucket. */
export type SeriesKind =
  | 'turns'
  | 'turnMs'
  | 'firstTextMs'
  | 'faults'
  | 'calls'
  | 'callErrors'
  | 'callMs'
  | 'inputTokens'
  | 'outputTokens'
  | 'actions'
  | 'actionMs'
  | 'asked'
  | 'resolved'
  | 'answerMs'
  | 'limited'
  | 'access'
  | 'callbacks'
  | 'peak';

/** Names of one kind that are told apart; what comes later is counted as `other`, so that no name can fill memory or disk. */
const mostNames = 200;
const longestName = 100;

const separator = '|';

/** Spells the names of series: the kind, and what is told apart within it. */
export class SeriesNames {
  readonly #known = new Map<SeriesKind, Set<string>>();

  /** `name` may come from outside, such as a model's; `parts` are words of this server. */
  of(kind: SeriesKind, name: string, ...parts: readonly (string | number)[]): string {
    return [kind, this.#bounded(kind, name), ...parts].join(separator);
  }

  #bounded(kind: SeriesKind, name: string): string {
    const known = this.#known.get(kind) ?? new Set<string>();
    this.#known.set(kind, known);
    const spelled = name.replaceAll(separator, '/').slice(0, longestName);
    if (known.has(spelled)) return spelled;
    if (known.size >= mostNames) return 'other';
    known.add(spelled);
    return spelled;
  }
}

/** The parts of a name that `SeriesNames` has spelled, the kind first. */
export function partsOf(series: string): readonly string[] {
  return series.split(separator);
}

/** A peak is a highest value; everything else is a sum. */
export function isPeak(series: string): boolean {
  return series.startsWith(`peak${separator}`);
}
