import { countedLength, flatPattern, isTriedOnce, opened, withoutLookAheads } from './pattern-text.ts';
import { type Growth, growthOfPattern } from './pattern-questions.ts';

/** The most steps of the engine for one text. They take some ten milliseconds. */
const maxSteps = 10_000_000;
/** The most ways in which bounded repetitions can share a text, from each place of the text. So few ways take almost no time. */
const maxWays = 100;
/** The most steps of the engine for an anchored pattern that is not checked. They take less than a millisecond. */
const fewSteps = 100_000;
/** The most repetitions that are checked exactly. Longer ones cost the checker too much. */
const longestRepetition = 16;
/**
 * The longest match that may be tried from each place of a text of any length, and the most steps from each place for a pattern that is not
 * checked. A text of 256 KiB, the longest result of a tool, then takes some 50 million steps, which are less than a second.
 */
const longestMatch = 200;
/** How many times as many steps the short repetitions of a pattern may take together, where they can share a text in several ways. */
const mostTries = 2;

/**
 * Why a pattern must not be used. Undefined when it may be used. With a bad pattern, a text can make the engine backtrack without bound,
 * which would stop the turns of all users. `maxLength` is the longest possible text; without it there is no limit. The pattern MUST be a
 * valid regular expression with the flag `u`.
 */
export async function patternFault(
  pattern: string,
  options: { readonly maxLength?: number | undefined; readonly takesMaxLength: boolean },
): Promise<string | undefined> {
  const { maxLength } = options;
  // A short text has few places, so that more may be tried from each of them.
  const longest = maxLength === undefined ? longestMatch : Math.max(longestMatch, Math.floor(maxSteps / maxLength));
  if (isEvident(pattern, longest)) return undefined;
  const growth = await growthOf(pattern, longest);
  switch (growth.kind) {
    case 'linear':
      return undefined;
    case 'polynomial':
      return polynomialFault(pattern, growth.degree, options);
    case 'exponential':
      return `the pattern ${shown(pattern)} can backtrack without bound: a short text may take it for ever. Write it so that no text fits its repetitions in more than one way`;
    case 'unknown':
      return `the pattern ${shown(pattern)} cannot be shown to be harmless: write it simpler`;
  }
}

function polynomialFault(
  pattern: string,
  degree: number,
  { maxLength, takesMaxLength }: { readonly maxLength?: number | undefined; readonly takesMaxLength: boolean },
): string | undefined {
  if (maxLength !== undefined && maxLength ** degree <= maxSteps) return undefined;
  const longest = String(Math.floor(maxSteps ** (1 / degree)));
  const advice = takesMaxLength ? `give it a maxLength of at most ${longest}, or bound` : 'bound';
  const power = degree === 2 ? 'square' : `power of ${String(degree)}`;
  return `the pattern ${shown(pattern)} can backtrack without bound: its time grows with the ${power} of the text; ${advice} its repetitions, such as {1,64} for +, to ${String(longestMatch)} characters together`;
}

/**
 * Whether a pattern is harmless without a check. Most patterns are: they have no repeated groups, and hardly a choice. The checker is a
 * program of several megabytes, so a server whose patterns are all evident starts half a second sooner.
 */
function isEvident(pattern: string, longest: number): boolean {
  const flat = flatPattern(pattern);
  if (flat === undefined) return false;
  const { isAnchored, open, steps, ways } = flat;
  // The engine tries an anchored pattern from one place only.
  if (isAnchored && open === 0 && steps <= fewSteps) return true;
  // Every other pattern is tried from each place of the text, or behind each end that its open repetition can have.
  const isShort = ways <= maxWays && steps <= longest;
  return isShort && (open === 0 || (open === 1 && isAnchored));
}

async function growthOf(pattern: string, longest: number): Promise<Growth> {
  const { rest, lookAheads } = withoutLookAheads(pattern);
  const parts = [rest, ...lookAheads].filter((part) => !isEvident(part, longest));
  const growths = await Promise.all(parts.map((part) => growthOfPart(part, longest)));
  const worst = growths.sort((one, other) => weight(other) - weight(one));
  return worst[0] ?? { kind: 'linear' };
}

async function growthOfPart(pattern: string, longest: number): Promise<Growth> {
  const simpler = opened(pattern, longestRepetition);
  const growth = await growthOfOpened(pattern, { simpler, longest });
  if (growth.kind === 'linear' || simpler === pattern) return growth;
  const flat = flatPattern(pattern);
  if (flat?.open === 0 && flat.length <= longest) {
    // From each place of a text, the engine tries only one short match.
    const fromOnePlace = await growthOfPattern(`^(?:${failing(opened(pattern, 1))})`);
    if (fromOnePlace.kind === 'linear') return fromOnePlace;
  }
  const exact = await growthOfOpened(pattern, { simpler: opened(pattern, longest), longest });
  if (exact.kind === 'linear' && isCostly(pattern, growth, longest)) return growth;
  // The checker overrates a long repetition that it cannot look at exactly. The simpler pattern takes no less time than the pattern itself.
  const isOverrated = exact.kind === 'unknown' || exact.kind === 'polynomial';
  return isOverrated && weight(growth) < weight(exact) ? growth : exact;
}

/**
 * Whether each place of a text costs too much although the whole grows no faster than the text: as far as its counted repetitions reach, a
 * pattern takes as many steps as the simpler one, whose growth this is.
 */
function isCostly(pattern: string, growth: Growth, longest: number): boolean {
  return growth.kind === 'polynomial' && countedLength(pattern) ** (growth.degree - 1) > longest;
}

/**
 * The growth of a pattern by a simpler one, whose long repetitions were opened, or which is the pattern itself. The checker says nothing of
 * what each place costs. So a pattern whose other repetitions can match a long text from each place, or can share a short one in very many
 * ways, counts as one that grows with the square of the text: up to some length it does.
 */
async function growthOfOpened(
  pattern: string,
  { simpler, longest }: { readonly simpler: string; readonly longest: number },
): Promise<Growth> {
  const growth = await growthOfPattern(simpler === pattern ? pattern : failing(simpler));
  const { open = 1, steps = 0 } = flatPattern(simpler) ?? {};
  const isLong = countedLength(simpler) > longest || (open === 0 && steps > longest * mostTries);
  return growth.kind === 'linear' && isLong && !isTriedOnce(simpler) ? { kind: 'polynomial', degree: 2 } : growth;
}

/**
 * The simpler pattern takes texts that the pattern itself refuses only after it has tried all ways. The empty class refuses them, too.
 */
function failing(simpler: string): string {
  return `(?:${simpler})[]`;
}

function weight(growth: Growth): number {
  switch (growth.kind) {
    case 'linear':
      return 1;
    case 'polynomial':
      return growth.degree;
    case 'unknown':
      return 1_000;
    case 'exponential':
      return 1_001;
  }
}

function shown(pattern: string): string {
  return JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern);
}
