import { inexactParts } from '../base/exact-json.ts';
import { hasMoreValues, isDeeperThan, maxArgumentLevels } from '../base/json-depth.ts';
import { hasRepeatedNames } from '../base/repeated-names.ts';
import { checkArguments } from './check-arguments.ts';
import { SchemaView } from './schema-view.ts';
import type { ArgumentCheck, Tool } from './tool.ts';

type Members = Readonly<Record<string, unknown>>;

/** Checked arguments, and what was mended in them. */
export interface MendedCheck {
  readonly check: ArgumentCheck;
  /** What was checked: as it was written, or mended. A check may make something else of it. */
  readonly checked: unknown;
  /** Like `lines[0].amount`, made of declared names alone; `arguments` for all of them. Empty where nothing was mended. */
  readonly mended: readonly string[];
}

/** The words of the log about arguments that were mended. */
export const mendedWords = 'the arguments of a call were nearly right, and were mended';

/** Longest arguments that are mended, in characters of their JSON. */
const longestMended = 100_000;
/** Most digits of a fraction that a text can have: with more of them the number would be another one. */
const mostDigits = 15;
/** How often the text of arguments may be JSON of a text. */
const mostEncodings = 2;

/**
 * Checks arguments that a model has written, and mends those that are nearly right (contract/plugins.md#arguments-that-are-nearly-right). What fits
 * is never touched, and what is mended fits as a whole: otherwise the faults of what was written are told.
 */
export function checkMended(tool: Pick<Tool, 'parameters' | 'checkArguments'>, value: unknown): MendedCheck {
  const check = checkArguments(tool, value);
  const asWritten = { check, checked: value, mended: [] };
  // Each value takes two characters at least, and to count them costs least.
  if (check.ok || hasMoreValues(value, longestMended / 2)) return asWritten;
  if (!isSound(value) || JSON.stringify(value).length > longestMended) return asWritten;
  const mended: string[] = [];
  const given = value === null ? {} : value;
  if (value === null) mended.push('arguments');
  const checked = mendedValue(given, new SchemaView(tool.parameters, [tool.parameters]), { path: '', mended });
  if (mended.length === 0) return asWritten;
  const again = checkArguments(tool, checked);
  return again.ok ? { check: again, checked, mended } : asWritten;
}

/**
 * The arguments of a call as text, mended. Undefined where they stay as they are: because they fit, or because they cannot be mended. Text that JSON
 * would not carry unchanged stays as well, and is refused.
 */
export function mendedText(
  tool: Pick<Tool, 'parameters' | 'checkArguments'>,
  written: string,
): { readonly text: string; readonly mended: readonly string[] } | undefined {
  const read = readArguments(written);
  if (read === undefined) return undefined;
  const { check, checked, mended } = checkMended(tool, read.value);
  if (!check.ok) return undefined;
  const all = read.isMended ? ['arguments', ...mended.filter((path) => path !== 'arguments')] : mended;
  return all.length === 0 ? undefined : { text: JSON.stringify(checked), mended: all };
}

/**
 * Reads the text of arguments, also where they stand in a fence, in a text, or have line breaks in texts. Undefined where they are no JSON all the
 * same, or have a name twice.
 */
export function readArguments(written: string): { readonly value: unknown; readonly isMended: boolean } | undefined {
  let text = written.trim();
  if (text === '' || text.length > longestMended) return undefined;
  let isMended = false;
  for (let encodings = 0; ; encodings += 1) {
    let value = parsed(text);
    if (value === undefined) {
      const inner = withEscapedControls(withoutFence(text));
      value = parsed(inner);
      if (value === undefined || inner === text) return undefined;
      [text, isMended] = [inner, true];
    }
    if (hasRepeatedNames(text, value)) return undefined;
    if (typeof value !== 'string' || encodings === mostEncodings) return { value, isMended };
    [text, isMended] = [value.trim(), true];
  }
}

/** Where a value stands, and the list of what was mended. */
interface Place {
  readonly path: string;
  readonly mended: string[];
}

function mendedValue(value: unknown, view: SchemaView, place: Place): unknown {
  // Arguments that are a text as a whole have been read by now.
  const read = typeof value === 'string' && place.path !== '' ? readText(value, view, place) : value;
  if (Array.isArray(read)) {
    return read.map((item: unknown, index) => {
      const inner = view.item(index);
      return inner ? mendedValue(item, inner, { ...place, path: `${place.path}[${String(index)}]` }) : item;
    });
  }
  return isMembers(read) ? mendedMembers(read, view, place) : read;
}

function mendedMembers(members: Members, view: SchemaView, { path, mended }: Place): Members {
  const required = new Set(view.required);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const kept = Object.entries(members).flatMap(([name, value]) => {
    const inner = view.member(name);
    if (inner === undefined) return [[name, value] as const];
    const isNothing = value === null && inner.types?.has('null') === false;
    if (isNothing && !required.has(name)) mended.push(at(name));
    // What is required gets its default below.
    if (isNothing && (!required.has(name) || inner.default !== undefined)) return [];
    return [[name, mendedValue(value, inner, { path: at(name), mended })] as const];
  });
  const names = new Set(kept.map(([name]) => name));
  const filled = [...required].flatMap((name) => {
    const value = names.has(name) ? undefined : view.member(name)?.default;
    if (value === undefined) return [];
    mended.push(at(name));
    return [[name, structuredClone(value)] as const];
  });
  return Object.fromEntries([...kept, ...filled]);
}

/** A text as what the schema wants in its place. The text itself where the schema takes texts, or it is none of that. */
function readText(text: string, { types }: SchemaView, { path, mended }: Place): unknown {
  if (types === undefined || types.has('string')) return text;
  const trimmed = text.trim();
  const value = parsed(trimmed);
  const isWanted =
    (Array.isArray(value) && types.has('array')) ||
    (isMembers(value) && types.has('object')) ||
    (typeof value === 'boolean' && types.has('boolean')) ||
    (value === null && types.has('null')) ||
    (typeof value === 'number' && isExactNumber(trimmed, types));
  if (isWanted && isSound(value) && !hasRepeatedNames(trimmed, value)) {
    mended.push(path);
    return value;
  }
  if (types.has('boolean') && (trimmed === 'True' || trimmed === 'False')) {
    mended.push(path);
    return trimmed === 'True';
  }
  return text;
}

/** Whether a text is a number of the wanted type in plain digits, none of which is lost. */
function isExactNumber(text: string, types: ReadonlySet<string>): boolean {
  const isPlain = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text);
  const value = Number(text);
  const isKept = text.includes('.') ? text.replace(/[-.]/g, '').length <= mostDigits : Number.isSafeInteger(value);
  return isPlain && isKept && (types.has('number') || (types.has('integer') && Number.isInteger(value)));
}

/** Whether JSON carries a value unchanged. */
function isSound(value: unknown): boolean {
  return !isDeeperThan(maxArgumentLevels, value) && inexactParts(value).length === 0;
}

function withoutFence(text: string): string {
  const fence = '```';
  if (!text.startsWith(fence) || !text.endsWith(fence) || text.length < 2 * fence.length) return text;
  const inner = text.slice(fence.length, -fence.length);
  return inner.replace(/^(?:json)?\s*/i, '').trimEnd();
}

const escapes: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** Escapes line breaks and tabs in the strings of JSON text, where JSON has none. */
function withEscapedControls(text: string): string {
  let inString = false;
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') inString = !inString;
    if (inString && character === '\\') {
      result += text.slice(at, at + 2);
      at += 1;
    } else {
      result += inString ? (escapes[character] ?? character) : character;
    }
  }
  return result;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
