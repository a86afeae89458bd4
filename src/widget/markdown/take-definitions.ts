import { labelKey, matchAt, readDestination, skipTitle } from './link-target.ts';

const label = /\[((?:[^[\]\\]|\\[^]){1,999})\]:[ \t\n]*/y;
const lineEnd = /[ \t]*(?:\n|$)/y;

/** The end of a footnote: the next one, or the end of the paragraph. */
const noteEnd = /\n\[\^|$/g;

/** Moves the definitions of links and footnotes at the beginning of a paragraph to `definitions`. Returns the paragraph's remaining text. */
export function takeDefinitions(text: string, definitions: Map<string, string>): string {
  let rest = 0;
  for (;;) {
    const match = matchAt(label, text, rest);
    const key = labelKey(match?.[1] ?? '');
    if (match === null || key === '') return text.slice(rest);
    const from = rest + match[0].length;
    if (key.startsWith('^')) {
      noteEnd.lastIndex = from;
      const end = noteEnd.exec(text)?.index ?? text.length;
      if (!definitions.has(key)) definitions.set(key, text.slice(from, end).trim());
      rest = end + 1;
      continue;
    }
    const destination = readDestination(text, from);
    if (destination === null || destination.end === from) return text.slice(rest);
    // A title must end its line. Otherwise it is text, and the definition ends before it.
    const end = endOfLine(text, skipTitle(text, destination.end)) ?? endOfLine(text, destination.end);
    if (end === null) return text.slice(rest);
    if (!definitions.has(key)) definitions.set(key, destination.value);
    rest = end;
  }
}

function endOfLine(text: string, from: number | null): number | null {
  const match = from === null ? null : matchAt(lineEnd, text, from);
  return match && match.index + match[0].length;
}
