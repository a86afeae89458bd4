import type { ConfirmationArgument } from '../../core/events/turn-event.ts';
import { writtenDay } from '../../core/tools/action-words.ts';
import { escaped } from '../shared/own-page.ts';
import type { ConfirmTexts } from './texts/confirm-texts.ts';

/**
 * Characters that make a reader misread a text: control and format characters (bidi and zero-width among them), separators of lines, lone
 * surrogates, private use, and all that is drawn as nothing. Unicode has no class for the last ones, which are blank signs of Braille,
 * Egyptian hieroglyphs, Khitan and music.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{1D159}]|\u{16FE4}/gu;

/** HTML of a text whose hidden characters are spelled out as `\n` or `\u{202E}` (contract/confirmations.md#what-is-shown). */
export function visibleHtml(text: string): string {
  let html = '';
  let position = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    html += `${escaped(text.slice(position, index))}<code>${spelled(character)}</code>`;
    position = index + character.length;
  }
  return html + escaped(text.slice(position));
}

/**
 * HTML of an argument. Numbers and days have the form of the page's language, a list of simple values has a line for each, and all else that
 * is no text is JSON with a line for each part. A line end of a text is spelled out.
 */
export function visibleValue(
  { value, format }: Pick<ConfirmationArgument, 'value' | 'format'>,
  words: Pick<ConfirmTexts, 'yes' | 'no' | 'locale'>,
): string {
  const day = typeof value === 'string' ? writtenDay(value, format, words.locale) : undefined;
  if (day !== undefined) return escaped(day);
  if (isScalar(value)) return scalarHtml(value, words);
  if (Array.isArray(value) && value.length > 0 && value.every(isScalar))
    return value.map((item: Scalar) => `• ${scalarHtml(item, words)}`).join('\n');
  // These line ends are the layout's own: JSON has escaped those of the value.
  return JSON.stringify(value, null, 2).split('\n').map(visibleHtml).join('\n');
}

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function scalarHtml(value: Scalar, { yes, no, locale }: Pick<ConfirmTexts, 'yes' | 'no' | 'locale'>): string {
  if (typeof value === 'boolean') return escaped(value ? yes : no);
  if (typeof value === 'string') return value === '' ? '&#34;&#34;' : visibleHtml(value);
  return Number.isInteger(value) ? String(value) : value.toLocaleString(locale, { maximumFractionDigits: 20 });
}

function spelled(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
}
