/**
 * The kinds of series. Kinds that end in `Ms` count durations by bucket. A reader skips unknown kinds, so another version may store more
 * kinds in the same hours.
 */
export type SeriesKind =
  | 'turns'
  | 'turnMs'
  | 'firstTextMs'
  | 'faults'
  | 'calls'
  | 'callErrors'
  | 'modelFaults'
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

/** The most different names of one kind. Further names are counted as `other`, so that no name can fill the memory or the disk. */
const mostNames = 200;
/** The most characters of a name. A key of `modelPricing` may have as many. */
const longestName = 200;

const separator = '|';

/** Makes the names of series from their kind and the further parts. */
export class SeriesNames {
  readonly #known = new Map<SeriesKind, Set<string>>();

  /** `name` may come from outside, such as the name of a model. `parts` are words of this server. */
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

/** The parts of a name that `SeriesNames` has made, the kind first. */
export function partsOf(series: string): readonly string[] {
  return series.split(separator).map(unescaped);
}

/** Whether a series is a peak, which keeps the highest value. Every other series is a sum. */
export function isPeak(series: string): boolean {
  return series.startsWith(`peak${separator}`);
}

/** Escapes only the separator, because prices are found by the name. */
function escaped(name: string): string {
  return name.replace(/[%|]/g, (character) => (character === '%' ? '%25' : '%7C'));
}

function unescaped(part: string): string {
  return part.includes('%') ? part.replace(/%7C/g, separator).replace(/%25/g, '%') : part;
}
