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
  /** The names of each kind, as they are written in a series. */
  readonly #known = new Map<SeriesKind, Map<string, string>>();

  /** `name` may come from outside, such as the name of a model. `parts` are words of this server. */
  of(kind: SeriesKind, name: string, ...parts: readonly (string | number)[]): string {
    let series = `${kind}${separator}${this.#bounded(kind, name.slice(0, longestName))}`;
    for (const part of parts) series += `${separator}${part}`;
    return series;
  }

  #bounded(kind: SeriesKind, name: string): string {
    const known = this.#known.get(kind) ?? new Map<string, string>();
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= mostNames) return 'other';
    const written = escaped(name);
    this.#known.set(kind, known.set(name, written));
    return written;
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
