import { isReaderKey } from '../../../shared/is-reader-key.ts';
import { LeftOut, readLimits } from './read-limits.ts';

/** The languages in which facts are written. YAML includes JSON. */
export type FactSyntax = 'yaml' | 'toml';

/** A text and the facts that stood before it. */
export interface SplitText {
  /** Undefined: the document has no front matter. */
  readonly facts: string | undefined;
  readonly syntax: FactSyntax;
  readonly body: string;
}

/** The first line of front matter: its fence, and perhaps its language and a comment. */
const opening = /^(---|\+\+\+|;;;)(yaml|toml|json)?[ \t]*(?:[ \t]#[^\n]{0,200})?\n/i;

const closings: Readonly<Record<string, RegExp>> = {
  '---': /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/,
  '+++': /(?:^|\n)\+\+\+[ \t]*(?:\n|$)/,
  ';;;': /(?:^|\n);;;[ \t]*(?:\n|$)/,
};

const keyLine = /^(?:["'{?&!<-]|[\p{L}\p{N}_$@ .-]{1,64}:(?:\s|$))/u;

/** @throws LeftOut when the first line opens front matter that does not end. */
export function splitFrontMatter(text: string): SplitText {
  const none: SplitText = { facts: undefined, syntax: 'yaml', body: text };
  const opened = opening.exec(text);
  if (opened === null) return jsonBefore(text) ?? none;
  const [line, fence = '---', language = ''] = opened;
  const isRule = fence === '---' && language === '';
  // Front matter is looked for within its size limit only.
  const head = text.slice(line.length, line.length + readLimits.factBytes);
  const closing = closings[fence]?.exec(head) ?? null;
  const inner = closing === null ? head : head.slice(0, closing.index);
  // The same line draws a rule, and many texts begin with one.
  if (isRule && !isFacts(inner)) return none;
  if (closing === null) throw new LeftOut('begins with front matter that does not end');
  const syntax = language.toLowerCase() === 'toml' || (fence === '+++' && language === '') ? 'toml' : 'yaml';
  return { facts: inner, syntax, body: text.slice(line.length + closing.index + closing[0].length) };
}

/** Whether what stands below a line of dashes is front matter, and not the text below a rule. */
function isFacts(inner: string): boolean {
  if (inner.trim() === '') return true;
  const lines = inner.split('\n');
  if (lines.some((line) => isReaderKey(/^([^:]{1,64}):/.exec(line)?.[1] ?? ''))) return true;
  const telling = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  // Below a rule, Markdown has an empty line. Some people put one into front matter.
  if ((lines[0] ?? '').trim() === '') return telling.some((line) => /^(?:title|url|language)[ \t]*:/i.test(line));
  return keyLine.test(telling[0] ?? '');
}

/** Front matter in JSON without fences, up to the line that ends the object. */
function jsonBefore(text: string): SplitText | undefined {
  if (!/^\{[ \t]*\n/.test(text)) return undefined;
  const end = /\n\}[ \t]*(?:\n|$)/.exec(text.slice(0, readLimits.factBytes));
  if (end === null) return undefined;
  const length = end.index + end[0].length;
  return { facts: text.slice(0, length), syntax: 'yaml', body: text.slice(length) };
}
