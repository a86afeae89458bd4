import { toJson } from '../transport/signalr/to-json.ts';

/** A piece of a value. `isEscaped` marks a piece that stands for a character which would not be visible itself. */
export interface VisiblePart {
  readonly text: string;
  readonly isEscaped: boolean;
}

/**
 * Characters that make a reader misread a text: control, format (bidi and zero-width among them), line and paragraph separators, lone
 * surrogates, private use, and everything that is drawn as nothing. Unicode has no class for blank letters and symbols, so the last five
 * name those of Braille, hieroglyphs, Khitan and music one by one.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{1D159}]|\u{16FE4}/gu;

/** The text with hidden characters spelled out as `\n`, `\t` or `\u{202E}` (contract/confirmations.md#what-is-shown). Nothing is left out. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let position = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > position) parts.push({ text: text.slice(position, match.index), isEscaped: false });
    parts.push({ text: spelled(match[0]), isEscaped: true });
    position = match.index + match[0].length;
  }
  if (position < text.length) parts.push({ text: text.slice(position), isEscaped: false });
  return parts;
}

/** An argument in the form that the user judges. Text stays as it is. Everything else becomes JSON with a line for each part. */
export function visibleValue(value: unknown): VisiblePart[] {
  if (typeof value === 'string') return value === '' ? [{ text: '""', isEscaped: false }] : visibleParts(value);
  // These line ends come from the layout. JSON has escaped the line ends of the value itself.
  const lines = toJson(value, 2).split('\n');
  return lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ text: '\n', isEscaped: false }]),
    ...visibleParts(line),
  ]);
}

function spelled(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
}
