import { decodeEntities } from './decode-entities.ts';
import { type Found, matchAt } from './link-target.ts';

/** An address that was found. `value` is the address as the text has it, and a click opens `address`. */
export interface BareLink extends Found {
  readonly address: string;
}

const begin = /(?<![a-z0-9])(?:https?:\/\/|www\.)|(?<![a-z0-9.+-])[a-z0-9][\w.+-]{0,63}@/gi;
const site = /(?:https?:\/\/|www\.)([\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,8})/iuy;
// Ideographic punctuation ends an address, because no space stands before it.
const path = /[^\s<\u3000-\u303f\uff00-\uffef]*/y;
const pathInBrackets = /[^\s<\]\u3000-\u303f\uff00-\uffef]*/y;
const mail = /[\w.+-]{1,64}@([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)/iy;

/** The places, from left to right, where an address without markup may begin (GFM 6.9). */
export function bareLinkStarts(text: string): number[] {
  return /@|:\/\/|www\./i.test(text) ? Array.from(text.matchAll(begin), ({ index }) => index) : [];
}

/** The address that begins at `from`. An address in square brackets ends before the closing one. */
export function readBareLink(text: string, from: number, isInBrackets: boolean): BareLink | null {
  const found = matchAt(site, text, from);
  if (found === null) {
    const written = matchAt(mail, text, from);
    if (written === null || /[_-]$/.test(written[0])) return null;
    return { value: written[0], end: from + written[0].length, address: `mailto:${written[0]}` };
  }
  // The last two parts of a host name have no underscores.
  if (/_[^.]*(?:\.[^.]*)?$/.test(found[1] ?? '')) return null;
  const nameEnd = from + found[0].length;
  const rest = matchAt(isInBrackets ? pathInBrackets : path, text, nameEnd)?.[0] ?? '';
  const end = trimmedEnd(text, from, nameEnd + rest.length);
  const value = decodeEntities(text.slice(from, end));
  return { value, end, address: /^www/i.test(value) ? `https://${value}` : value };
}

/**
 * Leaves off what belongs to the sentence and not to the address: punctuation at the end, an entity at the end, and a closing parenthesis
 * without its partner.
 */
function trimmedEnd(text: string, from: number, end: number): number {
  const whole = text.slice(from, end);
  let extra = whole.split(')').length - whole.split('(').length;
  for (let last = end; ;) {
    const [tail = ''] = /(?:&[a-z0-9]{1,30};|[?!.,:*_~'")])$/i.exec(text.slice(Math.max(from, last - 32), last)) ?? [];
    if (tail === '' || (tail === ')' && extra-- <= 0)) return last;
    last -= tail.length;
  }
}
