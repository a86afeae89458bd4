import type { StartupFault } from '../core/errors/startup-fault.ts';
import { formatPath, type KeyPath, type LocatedEntry, type LocatedValue, type Place } from './located-value.ts';

/** The same limits as for a file: the most values, and their deepest nesting. */
const mostValues = 20_000;
const deepest = 64;

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a configuration that a program has put together, the same way as a file: its values are taken as they are, and
 * `undefined` counts as left out. Never throws, whatever the value is.
 */
export function locateObject(
  configuration: unknown,
  place: Place,
): { readonly root: LocatedValue; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  let count = 0;
  return { root: locate(configuration, []), faults };

  function locate(value: unknown, path: KeyPath): LocatedValue {
    const empty = { kind: 'scalar', value: null, place, substituted: false } as const;
    count += 1;
    if (count > mostValues || path.length > deepest) {
      if (count === mostValues + 1 || path.length === deepest + 1) fault(path, 'too many values, or nested too deeply');
      return empty;
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return { ...empty, value };
    if (typeof value === 'number' && Number.isFinite(value)) return { ...empty, value };
    if (Array.isArray(value)) {
      const items = value.map((item: unknown, index) => locate(item, [...path, index]));
      return { kind: 'list', place, substituted: false, items };
    }
    if (isPlainObject(value)) return { kind: 'map', place, substituted: false, entries: entriesOf(value, path) };
    fault(path, 'must be a text, a number, true or false, null, a list or a plain object');
    return empty;
  }

  function entriesOf(value: Members, path: KeyPath): ReadonlyMap<string, LocatedEntry> {
    const entries = new Map<string, LocatedEntry>();
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__') fault([...path, key], 'this cannot be a key');
      else if (child !== undefined) entries.set(key, { keyPlace: place, value: locate(child, [...path, key]) });
    }
    return entries;
  }

  function fault(path: KeyPath, message: string): void {
    faults.push({ ...place, path: path.length === 0 ? '(whole configuration)' : formatPath(path), message });
  }
}

function isPlainObject(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A configuration from another realm, such as a test runner's, has a prototype of its own without a parent.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
