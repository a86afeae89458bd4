import { LeftOut, readLimits } from './read-limits.ts';

/** A text and the YAML that stood before it, between two lines of `---`. */
export interface SplitText {
  readonly yaml: string | undefined;
  readonly body: string;
}

/** @throws LeftOut when the first line opens front matter that does not end. */
export function splitFrontMatter(text: string): SplitText {
  const opening = /^---[ \t]*\n/.exec(text);
  if (opening === null) return { yaml: undefined, body: text };
  const start = opening[0].length;
  // Front matter is looked for within its size limit only.
  const head = text.slice(start, start + readLimits.factBytes);
  const closing = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(head);
  if (closing === null) throw new LeftOut('begins with front matter that does not end');
  return { yaml: head.slice(0, closing.index), body: text.slice(start + closing.index + closing[0].length) };
}
