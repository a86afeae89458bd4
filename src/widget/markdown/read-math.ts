/** A formula in a text. */
export interface Formula {
  /** TeX. */
  readonly source: string;
  /** It stands on lines of its own. */
  readonly isDisplay: boolean;
  /** Where the text continues. */
  readonly end: number;
}

/** The longest formula, in characters. */
const longest = 1000;

const forms = [
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
  ['$', '$'],
] as const;

/** The formula that begins at `from`. Null for brackets that are only escaped, for sums of money and for names of variables. */
export function readMath(text: string, from: number): Formula | null {
  const [opening, closing] = forms.find(([sign]) => text.startsWith(sign, from)) ?? [];
  if (opening === undefined) return null;
  const start = from + opening.length;
  const length = text.slice(start, start + longest).indexOf(closing);
  const source = text.slice(start, start + Math.max(0, length));
  const end = start + length + closing.length;
  const isTight = opening !== '$' || (source.trim() === source && !/[\p{L}\p{N}]/u.test(text.charAt(end)));
  const isFormula = opening === '\\(' ? source.trim() !== '' : looksLikeMath(source);
  if (length < 0 || !isTight || !isFormula) return null;
  return { source: source.trim(), isDisplay: opening === '$$' || opening === '\\[', end };
}

/** Whether a text has signs of mathematics, or is one letter. Words between spaces make it prose, unless it has commands. */
function looksLikeMath(source: string): boolean {
  if (/^\s*[a-z]'*\s*$/i.test(source) || /\\[a-z]/i.test(source)) return true;
  return /[_^=<>+*/{}|]/.test(source) && !/\s[a-z]{2,}\s/i.test(source);
}
