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
  | 'feedback'
  | 'searches';

/** The most different names of one kind. Further names are counted as `other`, so that no name can fill the memory or the disk. */
const mostNames = 200;
/** The most characters of a name. A key of `modelPricing` may have as many. */
const longestName = 200;

const separator = '|';

/**
 * Makes the names of series from their kind and the further parts. A name that was made before is found part by part, so that the same text
 * comes back: a map finds a text that it knows much sooner than one that was written anew.
 */
export class SeriesNames {
  readonly #kinds = new Map<SeriesKind, Branch>();

  /** `name` may come from outside, such as the name of a model. `parts` are words of this server. */
  of(kind: SeriesKind, name: string, ...parts: readonly (string | number)[]): string {
    const names = this.#kinds.get(kind) ?? new Branch(kind);
    this.#kinds.set(kind, names);
    const cut = name.slice(0, longestName);
    const isBounded = names.has(cut) || names.size < mostNames;
    let branch = names.below(isBounded ? cut : 'other', escaped);
    for (const part of parts) branch = branch.below(part, String);
    return branch.series;
  }
}

/** A beginning of series, and the longer ones that go on with a further part. */
class Branch {
  readonly series: string;
  readonly #below = new Map<string | number, Branch>();

  constructor(series: string) {
    this.series = series;
  }

  get size(): number {
    return this.#below.size;
  }

  has(part: string | number): boolean {
    return this.#below.has(part);
  }

  below<Part extends string | number>(part: Part, written: (part: Part) => string): Branch {
    const known = this.#below.get(part);
    if (known !== undefined) return known;
    const branch = new Branch(`${this.series}${separator}${written(part)}`);
    this.#below.set(part, branch);
    return branch;
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
