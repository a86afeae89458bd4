import { type BareLink, bareLinkStarts, readBareLink } from './bare-link.ts';
import type { Definitions } from './block.ts';
import { decodeEntities } from './decode-entities.ts';
import { type Delimiter, pairDelimiters, readDelimiter } from './emphasis.ts';
import { type Child, type Mark, nestPieces, type Piece } from './inline-piece.ts';
import { type Found, labelKey, matchAt, readTarget } from './link-target.ts';
import { readMath } from './read-math.ts';
import type { LinkRules } from '../nodes/plan-link.ts';

/** What inline text depends on beside its own words. */
export interface InlineRules {
  readonly definitions: Definitions;
  readonly links?: LinkRules | undefined;
  /** Gets the label of each footnote that the text refers to, once. Left out, such a reference is text. */
  readonly notes?: string[] | undefined;
  /** `<br>` breaks the line, as in the cells of a table. */
  readonly hasBreaks?: boolean;
}

/**
 * Text with its emphasis, links, code, formulas and line breaks (CommonMark 6). Other HTML stays text. An image becomes its alternative text.
 */
export function readInline(text: string, rules: InlineRules): Child[] {
  return new InlineReader(text, rules).read(rules.links);
}

/** A square bracket that waits for its partner. */
interface Bracket {
  readonly mark: Mark;
  readonly isImage: boolean;
  /** Where the text in the brackets begins. */
  readonly from: number;
  /** How many delimiters stand before the bracket. */
  readonly delimiters: number;
  /** Whether other brackets stand inside. Then the text is not the label of a reference. */
  hasBrackets: boolean;
}

const plain = /^[^\\`*_~[\]!<\n$]+/;
const escaped = /\\([!-/:-@[-`{-~])/y;
const ticks = /`+/y;
const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*)>/iy;
const attribute = /\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?/.source;
const htmlTag = new RegExp(`</?[a-z][a-z0-9-]*(?:${attribute})*\\s*/?>`, 'iy');
const lineBreak = /^<br\s*\/?>$/i;
const label = /\[((?:[^[\]\\]|\\[^]){0,999})\]/y;

class InlineReader {
  readonly #text: string;
  readonly #rules: InlineRules;
  readonly #pieces: Piece[] = [];
  readonly #delimiters: Delimiter[] = [];
  readonly #brackets: Bracket[] = [];
  /** Brackets before this one are plain text, because a link holds no links. */
  #inactive = 0;
  readonly #linkStarts: readonly number[];
  #nextLink = 0;
  /** The place of the last run of each number of backticks. */
  #lastTicks: Map<number, number> | null = null;
  #position = 0;

  constructor(text: string, rules: InlineRules) {
    this.#text = text;
    this.#rules = rules;
    this.#linkStarts = bareLinkStarts(text);
  }

  read(links?: LinkRules): Child[] {
    while (this.#position < this.#text.length) this.#step();
    pairDelimiters(this.#delimiters);
    return nestPieces(this.#pieces, links);
  }

  #step(): void {
    const starts = this.#linkStarts;
    while ((starts[this.#nextLink] ?? Infinity) < this.#position) this.#nextLink += 1;
    if (starts[this.#nextLink] === this.#position) {
      this.#nextLink += 1;
      const link = readBareLink(this.#text, this.#position, this.#brackets.length > 0);
      if (link !== null) {
        this.#addLink(link);
        return;
      }
    }
    const character = this.#text.charAt(this.#position);
    if (/[\\$]/.test(character) && this.#readFormula()) return;
    if (character === '\\') this.#readEscape();
    else if (character === '`') this.#readCode();
    else if (/[*_~]/.test(character)) this.#readDelimiter();
    else if (character === '[') this.#openBracket('[');
    else if (this.#text.startsWith('![', this.#position)) this.#openBracket('![');
    else if (character === ']') this.#closeBracket();
    else if (character === '<') this.#readAngle();
    else if (character === '\n') this.#breakLine();
    else this.#readPlain();
  }

  #add(piece: Piece, length: number): void {
    this.#pieces.push(piece);
    this.#position += length;
  }

  /** Takes plain text up to the next significant character or address. Takes at least one character. */
  #readPlain(): void {
    const ahead = this.#text.slice(this.#position, this.#linkStarts[this.#nextLink]);
    const run = plain.exec(ahead)?.[0] ?? ahead.charAt(0);
    this.#add(decodeEntities(run), run.length);
  }

  #readEscape(): void {
    const character = matchAt(escaped, this.#text, this.#position)?.[1];
    if (character !== undefined) this.#add(character, 2);
    else if (this.#text[this.#position + 1] === '\n') this.#add({ tag: 'br' }, 2);
    else this.#add('\\', 1);
  }

  /** False where no formula begins. */
  #readFormula(): boolean {
    const formula = readMath(this.#text, this.#position);
    if (formula === null) return false;
    const { source, isDisplay, end } = formula;
    const attributes = { class: isDisplay ? 'math is-display' : 'math' };
    this.#add({ tag: 'code', attributes, children: [source] }, end - this.#position);
    return true;
  }

  /** Ends a line. Spaces before a line end are not shown, and two of them break the line. */
  #breakLine(): void {
    const before = this.#pieces.at(-1);
    const isHard = typeof before === 'string' && before.endsWith('  ');
    if (typeof before === 'string') this.#pieces[this.#pieces.length - 1] = before.trimEnd();
    this.#add(isHard ? { tag: 'br' } : '\n', 1);
  }

  #readCode(): void {
    const text = this.#text;
    const opening = matchAt(ticks, text, this.#position)?.[0] ?? '`';
    const from = this.#position + opening.length;
    this.#lastTicks ??= new Map(Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]));
    let end = from;
    if ((this.#lastTicks.get(opening.length) ?? 0) < from) {
      this.#add(opening, opening.length);
      return;
    }
    // The search ends, because a run of that length stands ahead.
    for (let length = 0; length !== opening.length;) {
      end = text.indexOf('`', end + length);
      length = matchAt(ticks, text, end)?.[0].length ?? opening.length;
    }
    const code = text.slice(from, end).replaceAll('\n', ' ');
    // One space at each end separates the code's own backticks from the fences.
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#add({ tag: 'code', children: [isPadded ? code.slice(1, -1) : code] }, 0);
    this.#position = end + opening.length;
  }

  #readDelimiter(): void {
    const delimiter = readDelimiter(this.#text, this.#position);
    if (delimiter.canOpen || delimiter.canClose) this.#delimiters.push(delimiter);
    this.#add(delimiter, delimiter.length);
  }

  #openBracket(sign: '[' | '!['): void {
    const mark = { closes: 0, text: sign, opens: [] };
    const bracket = this.#brackets.at(-1);
    if (bracket !== undefined) bracket.hasBrackets = true;
    this.#add(mark, sign.length);
    this.#brackets.push({
      mark,
      isImage: sign === '![',
      from: this.#position,
      delimiters: this.#delimiters.length,
      hasBrackets: false,
    });
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket !== undefined && this.#readNote(bracket)) return;
    const isActive = bracket?.isImage === true || this.#brackets.length >= this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const target = bracket !== undefined && isActive ? this.#target(bracket) : null;
    if (bracket === undefined || target === null) {
      this.#add(']', 1);
      return;
    }
    pairDelimiters(this.#delimiters.splice(bracket.delimiters));
    bracket.mark.text = '';
    bracket.mark.opens.push(bracket.isImage ? { tag: 'img' } : { tag: 'a', address: target.value });
    this.#add({ closes: 1, text: '', opens: [] }, 0);
    this.#position = target.end;
    if (!bracket.isImage) this.#inactive = this.#brackets.length;
  }

  /** Puts the number of a footnote in the place of its label. False where the brackets hold no such label. */
  #readNote(bracket: Bracket): boolean {
    const { definitions, notes } = this.#rules;
    const isLabel = this.#text[bracket.from] === '^' && this.#position - bracket.from <= 1000;
    if (notes === undefined || definitions.size === 0 || !isLabel) return false;
    const key = labelKey(this.#text.slice(bracket.from, this.#position));
    if (!definitions.has(key)) return false;
    if (!notes.includes(key)) notes.push(key);
    bracket.mark.text = '';
    this.#pieces.splice(this.#pieces.lastIndexOf(bracket.mark) + 1);
    this.#delimiters.splice(bracket.delimiters);
    this.#add({ tag: 'sup', children: [String(notes.indexOf(key) + 1)] }, 1);
    return true;
  }

  /** The target of a link whose text ends here. The target follows in parentheses, or comes from a definition. */
  #target(bracket: Bracket): Found | null {
    const after = this.#position + 1;
    const inline = this.#text[after] === '(' ? readTarget(this.#text, after) : null;
    const { definitions } = this.#rules;
    if (inline !== null || definitions.size === 0) return inline;
    const reference = this.#text[after] === '[' ? matchAt(label, this.#text, after) : null;
    const end = after + (reference?.[0].length ?? 0);
    const named = reference?.[1] ?? '';
    if (named === '' && (bracket.hasBrackets || after - bracket.from > 1000)) return null;
    const key = labelKey(named === '' ? this.#text.slice(bracket.from, after - 1) : named);
    const value = key.startsWith('^') ? undefined : definitions.get(key);
    return value === undefined ? null : { value, end };
  }

  #readAngle(): void {
    const link = matchAt(autolink, this.#text, this.#position);
    const value = link?.[1];
    if (link !== null && value !== undefined) {
      const address = value.includes(':') ? value : `mailto:${value}`;
      this.#addLink({ value, address, end: this.#position + link[0].length });
      return;
    }
    const tag = matchAt(htmlTag, this.#text, this.#position)?.[0] ?? '<';
    this.#add(this.#rules.hasBreaks === true && lineBreak.test(tag) ? { tag: 'br' } : tag, tag.length);
  }

  #addLink({ value, address, end }: BareLink): void {
    this.#pieces.push({ closes: 0, text: '', opens: [{ tag: 'a', address }] }, value);
    this.#add({ closes: 1, text: '', opens: [] }, 0);
    this.#position = end;
  }
}
