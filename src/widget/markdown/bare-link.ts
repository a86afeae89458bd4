import { decodeEntities } from './decode-entities.ts';
import { type Found, matchAt } from './link-target.ts';

/** The `value` is the address as it stands in the text; `address` is what a click opens. */
export interface BareLink extends Found {
  readonly address: string;
}

const begin = /(?<![a-z0-9])(?:https?:\/\/|www\.)|(?<![a-z0-9.+-])[a-z0-9][\w.+-]{0,63}@/gi;
const site = /(?:https?:\/\/|www\.)([\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,8})/iuy;
// Ideographic punctuation ends an address: there is no space before it.
const path = /[^\s<\u3000-\u303f\uff00-\uffef]*/y;
const pathInBrackets = /[^\s<\]\u3000-\u303f\uff00-\uffef]*/y;
const mail = /[\w.+-]{1,64}@([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)/iy;

/** Where addresses may begin that nothing marks as such (GFM 6.9), from left to right. */
export function bareLinkStarts(text: string): number[] {
  return /@|:\/\/|www\./i.test(text) ? Array.from(text.matchAll(begin), ({ index }) => index) : [];
}

/** The address that begins at `from`. In square brackets it ends with them. */
export function readBareLink(text: string, from: number, isInBrackets: boolean): BareLink | null {
  const found = matchAt(site, text, from);
  if (found === null) {
    const written = matchAt(mail, text, from);
    if (written === null || /[_-]$/.test(written[0])) return null;
    return { value: written[0], end: from + written[0].length, address: `mailto:${written[0]}` };
  }
  // The last two parts of a site's name have no underscores.
  if (/_[^.]*(?:\.[^.]*)?$/.test(found[1] ?? '')) return null;
  const nameEnd = from + found[0].length;
  const rest = matchAt(isInBrackets ? pathInBrackets : path, text, nameEnd)?.[0] ?? '';
  const end = trimmedEnd(text, from, nameEnd + rest.length);
  const value = decodeEntities(text.slice(from, end));
  return { value, end, address: /^www/i.test(value) ? `http://${value}` : value };
}

/** Punctuation at the end is the sentence's, and so are a closing parenthesis without its partner and an entity. */
function trimmedEnd(text: string, from: number, end: number): number {
  const whole = text.slice(from, end);
  let extra = whole.split(')').length - whole.split('(').length;
  for (let last = end; ;) {
    const [tail = ''] = /(?:&[a-z0-9]{1,30};|[?!.,:*_~'")])$/i.exec(text.slice(Math.max(from, last - 32), last)) ?? [];
    if (tail === '' || (tail === ')' && extra-- <= 0)) return last;
    last -= tail.length;
  }
}
