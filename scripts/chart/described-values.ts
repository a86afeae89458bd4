import { parse } from 'yaml';

/** One value of the chart, as its `values.yaml` shows it. */
export interface DescribedValue {
  /** The path of the value, such as `image.tag`. */
  readonly path: string;
  /** The comment above the value. Empty for a group, whose members have comments. */
  readonly description: string;
  readonly fallback: unknown;
}

/**
 * The values that have a comment, and their groups, in the order of the file. Everything inside a value with a comment belongs to that
 * value.
 * @throws Error for a value without a comment.
 */
export function describedValues(text: string): readonly DescribedValue[] {
  return describe(parse(text), '', commentsByPath(text));
}

function describe(values: unknown, prefix: string, comments: ReadonlyMap<string, string>): readonly DescribedValue[] {
  return Object.entries(membersOf(values)).flatMap(([key, fallback]: [string, unknown]) => {
    const path = `${prefix}${key}`;
    const description = comments.get(path) ?? '';
    const isGroup = [...comments.keys()].some((other) => other.startsWith(`${path}.`));
    if (description === '' && !isGroup) throw new Error(`values.yaml does not say what ${path} is`);
    return [{ path, description, fallback }, ...(isGroup ? describe(fallback, `${path}.`, comments) : [])];
  });
}

function membersOf(values: unknown): object {
  return typeof values === 'object' && values !== null ? values : {};
}

/** The text of the comment lines directly above each key. */
function commentsByPath(text: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  const path: string[] = [];
  let waiting: string[] = [];
  for (const line of text.split('\n')) {
    const [, indent = '', comment, key] = /^( *)(?:# (.*)|([A-Za-z_]+):.*)$/.exec(line) ?? [];
    if (comment !== undefined) waiting.push(comment);
    if (key !== undefined) {
      path.splice(indent.length / 2, Infinity, key);
      if (waiting.length > 0) comments.set(path.join('.'), waiting.join(' '));
    }
    if (comment === undefined) waiting = [];
  }
  return comments;
}
