/** A piece of a value: `isEscaped` marks what stands for a character that would not be seen as it is. */
export interface VisiblePart {
  readonly text: string;
  readonly isEscaped: boolean;
}

/**
 * Characters that change what a reader believes to see: control, format (bidi and zero-width among them), line and
 * paragraph separators, lone surrogates, private use, and all that is drawn as nothing. Unicode has no class for letters
 * and symbols that are blank: the last five, of Braille, hieroglyphs, Khitan and music, are named one by one.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{1D159}]|\u{16FE4}/gu;

/** The text with hidden characters spelled out as `\n`, `\t` or `\u{202E}` (contract/confirmations.md#what-is-shown); nothing is left out. */
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

/** An argument as the user judges it: text as it is, everything else as JSON, laid out line by line. */
export function visibleValue(value: unknown): VisiblePart[] {
  if (typeof value === 'string') return value === '' ? [{ text: '""', isEscaped: false }] : visibleParts(value);
  // The line ends are the layout's; those of the value are escaped by JSON already.
  const lines = JSON.stringify(value, null, 2).split('\n');
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
