/**
 * What is counted, and by which names. `…Ms` are counts of durations by bucket. A reader passes over kinds that it does not know,
 * so a version may count more than the one before, over the same stored hours.
 */
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
  | 'cachedTokens'
  | 'actions'
  | 'actionMs'
  | 'asked'
  | 'resolved'
  | 'answerMs'
  | 'actionQuestions'
  | 'actionAnswerMs'
  | 'limited'
  | 'access'
  | 'callbacks'
  | 'peak'
  | 'opened'
  | 'ended'
  | 'lasted'
  | 'returned'
  | 'snapshots'
  | 'files'
  | 'searches';

/** Names of one kind that are told apart; what comes later is counted as `other`, so that no name can fill memory or disk. */
const mostNames = 200;
/** As many characters as a key of `modelPricing` may have. */
const longestName = 200;

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
    const spelled = escaped(name.slice(0, longestName));
    if (known.has(spelled)) return spelled;
    if (known.size >= mostNames) return 'other';
    known.add(spelled);
    return spelled;
  }
}

/** The parts of a name that `SeriesNames` has spelled, the kind first. */
export function partsOf(series: string): readonly string[] {
  return series.split(separator).map(unescaped);
}

/** A peak is a highest value; everything else is a sum. */
export function isPeak(series: string): boolean {
  return series.startsWith(`peak${separator}`);
}

/** A name keeps its characters: prices are found by it. */
function escaped(name: string): string {
  return name.replace(/[%|]/g, (character) => (character === '%' ? '%25' : '%7C'));
}

function unescaped(part: string): string {
  return part.includes('%') ? part.replace(/%7C/g, separator).replace(/%25/g, '%') : part;
}
