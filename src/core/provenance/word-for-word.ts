/**
 * Scripts that do not separate words by spaces (Chinese, Japanese, Thai …), and Korean, where particles are attached to words. In these
 * scripts a word may stand directly beside any other. `joining` matches the letters and digits of all other scripts.
 */
const unparted = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const joining = String.raw`[[\p{L}\p{N}]--[${unparted.map((script) => `\\p{Script=${script}}`).join('')}]]`;
/** The characters, other than letters and digits, that continue an address or a number. */
const linking = String.raw`[@._+\/\-]`;

/** Patterns that must not match directly before or after a value. If one matches, the value is a part of something longer. */
interface Edges {
  readonly before: RegExp;
  readonly after: RegExp;
}

const ofWords = edges(`${joining}${linking}?`, `${linking}?${joining}`);
/** A single character is easily found by chance, so it must stand alone in every script. */
const ofCharacters = edges(String.raw`[\p{L}\p{N}]`, String.raw`[\p{L}\p{N}]`);
/** Groups of digits beside each other are one number, so a value must not be one of several groups. */
const ofGroups = edges(String.raw`\p{N}[\s\(\).\/\-]`, String.raw`[\s\(\).\/\-]\p{N}`);
/** Signs that may stand within the local part of an address. Before a word without `@` they part words, as in `l'ann`. */
const ofAddresses = edges(String.raw`${joining}['’%!#$&~]`, '(?!)');
/** Signs that part the thousands or the decimals of a number. They part other words. */
const ofFigures = edges(String.raw`\p{N}[,'’]`, String.raw`[,'’]\p{N}`);

/** The fewest digits of an account or telephone number. Beside digits it has only few letters and the characters that group digits. */
const fewestDigits = 6;
const isGrouped = /^[\p{L}\p{N}+\(\).\/\s\-]+$/v;
const grouping = /[\s\(\).\/\-]/v;

/** Most characters of a value. A longer value is never found. */
const longestValue = 300;
/** Most places in one text where a value is looked at. A hostile text may hold the value hundreds of thousands of times. */
const mostPlaces = 1_000;
/** Code units that are enough for two characters of any script. */
const window = 4;

/**
 * Finds values in texts word for word (contract/provenance.md#word-for-word). Upper and lower case count as equal, and so does any white
 * space. A value that is only a part of a longer word, address or number is not found. The grouping of an account or telephone number does
 * not count.
 */
export class WordForWord {
  readonly #texts: readonly string[];
  readonly #ungrouped = new Map<string, Ungrouped>();

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(plain);
  }

  has(value: string): boolean {
    if (value.length > longestValue) return false;
    const wanted = plain(value).trim();
    if (wanted === '') return false;
    if (Array.from(wanted).length === 1)
      return this.#texts.some((text) => found(wanted, text, [...edgesOf(wanted), ofCharacters]));
    if (!isNumber(wanted)) return this.#texts.some((text) => found(wanted, text, edgesOf(wanted)));
    const digits = Array.from(wanted)
      .filter((character) => !grouping.test(character))
      .join('');
    return this.#texts.some((text) => foundUngrouped(digits, this.#ungroupedOf(text)));
  }

  #ungroupedOf(text: string): Ungrouped {
    const known = this.#ungrouped.get(text) ?? ungrouped(text);
    this.#ungrouped.set(text, known);
    return known;
  }
}

/** A text without the characters that group digits, and the original place of each of its code units. */
interface Ungrouped {
  readonly whole: string;
  readonly text: string;
  readonly places: readonly number[];
}

function ungrouped(whole: string): Ungrouped {
  const places: number[] = [];
  for (let place = 0; place < whole.length; place += 1) if (!grouping.test(whole.charAt(place))) places.push(place);
  return { whole, places, text: places.map((place) => whole.charAt(place)).join('') };
}

function foundUngrouped(digits: string, { whole, text, places }: Ungrouped): boolean {
  return placesOf(digits, text).some((at) => {
    const [from, to] = [places[at] ?? 0, places[at + digits.length - 1] ?? 0];
    return standsFree(whole, [from, to + 1], [ofWords, ofGroups]);
  });
}

function found(wanted: string, text: string, allEdges: readonly Edges[]): boolean {
  return placesOf(wanted, text).some((at) => standsFree(text, [at, at + wanted.length], allEdges));
}

function placesOf(wanted: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < mostPlaces; at = text.indexOf(wanted, at + 1)) {
    places.push(at);
  }
  return places;
}

function standsFree(text: string, [from, to]: readonly [number, number], allEdges: readonly Edges[]): boolean {
  const [left, right] = [text.slice(Math.max(0, from - window), from), text.slice(to, to + window)];
  return allEdges.every(({ before, after }) => !before.test(left) && !after.test(right));
}

function edges(before: string, after: string): Edges {
  return { before: new RegExp(`${before}$`, 'v'), after: new RegExp(`^${after}`, 'v') };
}

function edgesOf(wanted: string): readonly Edges[] {
  const isFigure = /^\p{N}(?:.*\p{N})?$/sv.test(wanted);
  return [ofWords, ...(wanted.includes('@') ? [ofAddresses] : []), ...(isFigure ? [ofFigures] : [])];
}

function isNumber(wanted: string): boolean {
  const digits = wanted.match(/\p{N}/gv)?.length ?? 0;
  const letters = wanted.match(/\p{L}/gv)?.length ?? 0;
  return digits >= fewestDigits && letters <= digits && isGrouped.test(wanted);
}

/** Letters of full and half width, and the space of full width. */
const widths = /[\u3000\uff00-\uffef]+/gv;
/** Letters and the marks on them, which one character may stand for as well. */
const letters = /(?:[a-zA-Z]\p{M}|(?![a-zA-Z])[\p{L}\p{M}])+/gv;
/**
 * Letters that have the small form of another letter, or are read as one: such as the sign for kelvin, and Chinese ones that older standards
 * had twice. They stand for themselves.
 */
const alike = /([\u0130\u03f4\u1e9e\u1fbe\u2126\u212a\u212b\uf900-\ufaff\u{2f800}-\u{2fa1f}])/v;

/**
 * The text in a form in which case, white space and width make no difference. All other characters stay what they are: a letter that only
 * looks like another one, or is read as it by other programs, leads somewhere else.
 */
function plain(text: string): string {
  const wide = text.replaceAll(widths, (run) => run.normalize('NFKC'));
  // Nearly every text is composed, and this is seen much faster.
  const isComposed = wide === wide.normalize('NFC');
  const whole = isComposed ? wide : wide.replaceAll(letters, (run) => changed(run, (part) => part.normalize('NFC')));
  return changed(whole, (part) => part.toLowerCase()).replaceAll(/\s+/gv, ' ');
}

/** Changes the parts of a text between the letters that stand for themselves. */
function changed(text: string, change: (part: string) => string): string {
  return text
    .split(alike)
    .map((part) => (alike.test(part) ? part : change(part)))
    .join('');
}
