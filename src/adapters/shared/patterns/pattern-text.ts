/** A repetition such as `{2,5}`. `most` is infinite for `*`, `+` and `{2,}`. */
interface Repetition {
  readonly least: number;
  readonly most: number;
}

/** A pattern without alternatives and references, each of whose groups comes once or may be left out. */
export interface FlatPattern {
  readonly isAnchored: boolean;
  /** In how many ways the bounded repetitions can share a text. */
  readonly ways: number;
  /** The number of repetitions without an upper bound. */
  readonly open: number;
  /** The longest text that the pattern matches, if `open` is 0. */
  readonly length: number;
  /**
   * The most steps of the engine from one place of a text: each part of the pattern is tried once for each way in which the parts before
   * it can share the text. Repetitions without an upper bound do not count.
   */
  readonly steps: number;
}

const escape = String.raw`\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|[^])`;
const characterClass = String.raw`\[(?:\\[^]|[^\]\\])*\]`;
const repetition = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`;
const groupStart = String.raw`\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?`;
const tokens = new RegExp(`${escape}|${characterClass}|${repetition}|${groupStart}|[^]`, 'gu');

/** The parts of a valid pattern with the flag `u`: characters, classes, repetitions, and the beginnings and ends of groups. */
function tokensOf(pattern: string): readonly string[] {
  return pattern.match(tokens) ?? [];
}

/** The facts about a pattern without alternatives, references, look-arounds and repeated groups. Undefined for every other pattern. */
export function flatPattern(pattern: string): FlatPattern | undefined {
  const parts = tokensOf(pattern);
  if (parts.some((part) => /^(?:\(\?<?[=!]|\|$|\\[1-9]|\\k)/u.test(part))) return undefined;
  let [ways, open, length, steps] = [1, 0, 0, 0];
  for (const [index, part] of parts.entries()) {
    const repeated = repetitionOf(part);
    const isOfGroup = parts[index - 1] === ')';
    if (repeated === undefined) {
      const isOne = part !== ')' && !part.startsWith('(');
      if (isOne) length += 1;
      if (isOne) steps += ways;
    } else if (isOfGroup) {
      if (repeated.most > 1) return undefined;
      // A group that may be left out has at most as many ways again.
      ways *= 2;
    } else if (repeated.most === Infinity) {
      open += 1;
    } else {
      length += repeated.most;
      steps += ways * repeated.most;
      const isOptional = repeated.least === 0 && repeated.most === 1;
      const mustFollow = (repetitionOf(parts[index + 2] ?? '')?.least ?? 1) > 0;
      // The text alone decides whether a separator is there that cannot be taken for what must follow.
      const isDecided = isOptional && mustFollow && areApart(parts[index - 1], parts[index + 1]);
      if (!isDecided) ways *= repeated.most - repeated.least + 1;
    }
  }
  return { isAnchored: parts[0] === '^', ways, open, length, steps };
}

/** A part that matches one character of ASCII, whatever stands around it. */
const oneCharacter = /^(?:\[(?!\^)[ -[\]-~]+\]|\\[dw!-/:-@]|[\w @,;:/#-])$/u;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Whether no character fits both parts. */
function areApart(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !oneCharacter.test(one) || !oneCharacter.test(other)) return false;
  const [first, second] = [one, other].map((part) => new RegExp(`^${part}$`, 'u'));
  return !ascii.some((sample) => first?.test(sample) === true && second?.test(sample) === true);
}

/**
 * The same pattern with endless repetitions in place of the long repetitions of characters and classes. The result matches more texts, and
 * each text in no fewer ways. Repetitions of groups stay: a group may match nothing, but only as often as its repetition allows.
 */
export function opened(pattern: string, longest: number): string {
  return tokensOf(pattern)
    .map((part, index, parts) => {
      const repeated = parts[index - 1] === ')' ? undefined : repetitionOf(part);
      if (repeated === undefined || repeated.most === Infinity || repeated.most <= longest) return part;
      const lazy = part.endsWith('?') ? '?' : '';
      return `${['*', '+'][repeated.least] ?? '{2,}'}${lazy}`;
    })
    .join('');
}

/** How much of a text a part of a pattern takes at most. A repetition without an upper bound counts as often as it must come. */
interface Size {
  readonly length: number;
  /** As much of it as counted repetitions take, such as `{2,5}`. */
  readonly counted: number;
}

const nothing: Size = { length: 0, counted: 0 };

/** The sizes of a group that is being read: of the alternatives before, of this one up to its last part, and of that part. */
interface OpenGroup {
  before: Size;
  sequence: Size;
  last: Size;
}

/** The most characters that the counted repetitions of a pattern take together, from one place of a text. */
export function countedLength(pattern: string): number {
  const open: OpenGroup[] = [];
  let group: OpenGroup = { before: nothing, sequence: nothing, last: nothing };
  for (const part of tokensOf(pattern)) {
    const repeated = repetitionOf(part);
    if (part.startsWith('(')) {
      open.push(group);
      group = { before: nothing, sequence: nothing, last: nothing };
    } else if (part === '|') {
      group = { before: sizeOf(group), sequence: nothing, last: nothing };
    } else if (repeated !== undefined) {
      group.last = times(group.last, repeated);
    } else {
      const inner = part === ')' ? sizeOf(group) : { length: 1, counted: 0 };
      if (part === ')') group = open.pop() ?? group;
      group.sequence = sum(group.sequence, group.last);
      group.last = inner;
    }
  }
  return sizeOf(group).counted;
}

/** The size of a group, of whose alternatives the longest counts. */
function sizeOf({ before, sequence, last }: OpenGroup): Size {
  const { length, counted } = sum(sequence, last);
  return { length: Math.max(before.length, length), counted: Math.max(before.counted, counted) };
}

function sum(one: Size, other: Size): Size {
  return { length: one.length + other.length, counted: one.counted + other.counted };
}

function times({ length, counted }: Size, { least, most }: Repetition): Size {
  if (most === Infinity) return { length: length * Math.max(1, least), counted: counted * Math.max(1, least) };
  return most <= 1 ? { length, counted } : { length: length * most, counted: length * most };
}

/** Whether the engine tries a pattern from one place of a text only: it is anchored, and has no repetition without an upper bound. */
export function isTriedOnce(pattern: string): boolean {
  const parts = tokensOf(pattern);
  return parts[0] === '^' && !parts.some((part) => part === '|' || repetitionOf(part)?.most === Infinity);
}

/** A pattern in parts that can be checked one by one. */
export interface SplitPattern {
  /** The pattern without its look-aheads. */
  readonly rest: string;
  /** The look-aheads right behind the first `^`. Each of them is tried once. */
  readonly lookAheads: readonly string[];
}

/** Separates the look-aheads at the start of a pattern from its rest. */
export function withoutLookAheads(pattern: string): SplitPattern {
  const lookAheads: string[] = [];
  let parts = tokensOf(pattern);
  if (parts[0] !== '^') return { rest: pattern, lookAheads };
  parts = parts.slice(1);
  while (parts[0] === '(?=' || parts[0] === '(?!') {
    const end = endOfGroup(parts);
    lookAheads.push(`^(?:${parts.slice(1, end).join('')})`);
    parts = parts.slice(end + 1);
  }
  return { rest: `^${parts.join('')}`, lookAheads };
}

/** The index of the part that ends the group which the first part begins. */
function endOfGroup(parts: readonly string[]): number {
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    if (part.startsWith('(')) depth += 1;
    if (part === ')') depth -= 1;
    if (depth === 0) return index;
  }
  return parts.length;
}

function repetitionOf(part: string): Repetition | undefined {
  switch (part.replace(/(?<=.)\?$/u, '')) {
    case '*':
      return { least: 0, most: Infinity };
    case '+':
      return { least: 1, most: Infinity };
    case '?':
      return { least: 0, most: 1 };
  }
  const [, least, comma, most] = /^\{(\d{1,15})(,?)(\d{0,15})\}/u.exec(part) ?? [];
  if (least === undefined) return undefined;
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}
