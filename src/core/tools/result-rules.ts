import { matchesGlob } from '../base/glob.ts';

/** The YAML form of `onToolResult` (contract/errors.md#faults-of-actions): what is taken out of a result before the model reads it. */
export interface ToolResultRule {
  /** Tool-name glob. */
  readonly tool: string;
  /** JSON pointers (RFC 6901); `*` as a segment means every element. */
  readonly remove?: readonly string[];
  /** Regular expressions over every text in the result. */
  readonly replace?: readonly { readonly pattern: string; readonly with: string }[];
}

export type ToolResultTransform = (toolName: string, result: unknown) => unknown;

/** Turns one YAML rule into a transformer. */
export function toolResultTransform(rule: ToolResultRule): ToolResultTransform {
  const remove = removing(rule.remove ?? []);
  const replace = replacing(rule.replace ?? []);
  return (toolName, result) => (matchesGlob(rule.tool, toolName) ? replace(remove(result)) : result);
}

function removing(pointers: readonly string[]): (result: unknown) => unknown {
  const paths = pointers.map((pointer) =>
    pointer
      .split('/')
      .slice(1)
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')),
  );
  return (result) => paths.reduce((value, path) => without(value, path), result);
}

/** A copy of `value` without the part that `path` names. A path that leads nowhere takes nothing out. */
function without(value: unknown, path: readonly string[]): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return withoutInArray(value, segment, rest);
  const entries = Object.entries(value);
  const applies = (key: string): boolean => segment === '*' || key === segment;
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => !applies(key)));
  return Object.fromEntries(entries.map(([key, child]) => [key, applies(key) ? without(child, rest) : child]));
}

function withoutInArray(items: readonly unknown[], segment: string, rest: readonly string[]): unknown[] {
  const applies = (index: number): boolean => segment === '*' || String(index) === segment;
  if (rest.length === 0) return items.filter((_item, index) => !applies(index));
  return items.map((item, index) => (applies(index) ? without(item, rest) : item));
}

function replacing(
  replacements: readonly { readonly pattern: string; readonly with: string }[],
): (result: unknown) => unknown {
  const compiled = replacements.map((entry) => ({ pattern: new RegExp(entry.pattern, 'gu'), with: entry.with }));
  const replaceText = (text: string): string =>
    compiled.reduce((current, entry) => current.replace(entry.pattern, entry.with), text);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return replaceText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, walk(child)]));
  };
  return walk;
}
