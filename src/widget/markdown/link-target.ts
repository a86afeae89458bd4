import { decodeEntities } from './decode-entities.ts';

/** Something that was read, and the place where the text continues after it. */
export interface Found {
  readonly value: string;
  readonly end: number;
}

const angled = /<((?:[^<>\\\n]|\\.)*)>/y;
const title = /[ \t\n]+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\))/y;
const maxParentheses = 32;

/** The destination of a link (CommonMark 6.3), in angle brackets or bare. A bare one may be empty. */
export function readDestination(text: string, from: number): Found | null {
  if (text[from] === '<') {
    const match = matchAt(angled, text, from);
    return match && { value: unescapeText(match[1] ?? ''), end: from + match[0].length };
  }
  let depth = 0;
  let end = from;
  for (; end < text.length && !/[ \t\n]/.test(text.charAt(end)); end += 1) {
    const character = text.charAt(end);
    if (character === '\\' && text.charAt(end + 1) > ' ') end += 1;
    else if (character === '(') depth += 1;
    else if (character === ')' && --depth < 0) break;
    if (depth > maxParentheses) return null;
  }
  return depth > 0 ? null : { value: unescapeText(text.slice(from, end)), end };
}

/** The place after a title and the white space before it. Null when there is no title. Titles are not shown. */
export function skipTitle(text: string, from: number): number | null {
  const match = matchAt(title, text, from);
  return match && from + match[0].length;
}

/** `(destination "title")` after the text of a link. */
export function readTarget(text: string, from: number): Found | null {
  const opening = matchAt(/\([ \t\n]*/y, text, from);
  const destination = opening && readDestination(text, from + opening[0].length);
  if (!destination) return null;
  const after = skipTitle(text, destination.end) ?? destination.end;
  const closing = matchAt(/[ \t\n]*\)/y, text, after);
  return closing && { value: destination.value, end: after + closing[0].length };
}

/** Two labels of references are the same when they differ only in case and white space. */
export function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Resolves backslashes before punctuation, and character references. */
export function unescapeText(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])|[^\\]+/g, (whole, escaped?: string) => escaped ?? decodeEntities(whole));
}

/** The match of a sticky expression at exactly this place. */
export function matchAt(expression: RegExp, text: string, position: number): RegExpExecArray | null {
  expression.lastIndex = position;
  return expression.exec(text);
}
