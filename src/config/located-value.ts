/** Where a value was written: a place in a YAML file, or an environment variable. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

interface Located {
  readonly place: Place;
  /** Whether the value contains text that came from `${…}`. Such a value is never shown (contract/configuration.md#faults). */
  readonly substituted: boolean;
}

export interface LocatedScalar extends Located {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /**
   * The value was a single `${…}`. It is still a text here, and is read later as the type of its key (contract/configuration.md#reading).
   */
  readonly typePending?: true;
}

export interface LocatedList extends Located {
  readonly kind: 'list';
  readonly items: readonly LocatedValue[];
}

export interface LocatedEntry {
  readonly keyPlace: Place;
  readonly value: LocatedValue;
}

export interface LocatedMap extends Located {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, LocatedEntry>;
}

/** A value of the configuration together with where it was written, so that every fault can say so. */
export type LocatedValue = LocatedScalar | LocatedList | LocatedMap;

/** Keys and list positions from the top of the file. */
export type KeyPath = readonly (string | number)[];

/** `models.main.provider`, `pages[0].name`; odd keys are quoted. */
export function formatPath(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${String(key)}]`;
    if (!/^[A-Za-z0-9_@/$*-]{1,80}$/.test(key)) return `${text}[${JSON.stringify(key.slice(0, 80))}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** The value at a path, if there is one. */
export function valueAt(root: LocatedValue, path: KeyPath): LocatedValue | undefined {
  return path.reduce<LocatedValue | undefined>((value, key) => {
    if (value?.kind === 'map') return value.entries.get(String(key))?.value;
    if (value?.kind === 'list') return value.items[Number(key)];
    return undefined;
  }, root);
}

/** The place to point at for a path: the value, or for a missing value the nearest place around it that exists. */
export function placeOf(root: LocatedValue, path: KeyPath): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = valueAt(root, path.slice(0, length - 1));
    const key = path[length - 1];
    if (parent?.kind === 'map') {
      const entry = parent.entries.get(String(key));
      if (entry !== undefined) return length === path.length ? entry.value.place : entry.keyPlace;
    }
    const value = valueAt(root, path.slice(0, length));
    if (value !== undefined) return value.place;
  }
  return root.place;
}

/** The place of the key itself. A path that is no key has the place that `placeOf` gives. */
export function keyPlaceOf(root: LocatedValue, path: KeyPath): Place {
  const parent = valueAt(root, path.slice(0, -1));
  const entry = parent?.kind === 'map' ? parent.entries.get(String(path.at(-1))) : undefined;
  return entry?.keyPlace ?? placeOf(root, path);
}

/** The place of the innermost existing part of a written path (`formatPath`). Undefined when no part of it exists. */
export function placeOfWritten(root: LocatedValue, written: string, above: KeyPath = []): Place | undefined {
  for (const { key, place, value } of partsOf(root)) {
    const path = [...above, key];
    const text = formatPath(path);
    const isOnTheWay = written === text || written.startsWith(`${text}.`) || written.startsWith(`${text}[`);
    if (isOnTheWay) return placeOfWritten(value, written, path) ?? place;
  }
  return undefined;
}

function partsOf(value: LocatedValue): readonly { key: string | number; place: Place; value: LocatedValue }[] {
  if (value.kind === 'list') return value.items.map((item, key) => ({ key, place: item.place, value: item }));
  if (value.kind === 'scalar') return [];
  return [...value.entries].map(([key, entry]) => ({ key, place: entry.keyPlace, value: entry.value }));
}

/** The bare value, as plain objects and arrays of its own. */
export function toPlain(value: LocatedValue): unknown {
  switch (value.kind) {
    case 'scalar':
      return value.value;
    case 'list':
      return value.items.map((item) => toPlain(item));
    case 'map':
      return Object.fromEntries([...value.entries].map(([key, entry]) => [key, toPlain(entry.value)]));
  }
}

/** Whether any part of a value came from `${…}`. */
export function holdsSubstitution(value: LocatedValue): boolean {
  switch (value.kind) {
    case 'scalar':
      return value.substituted;
    case 'list':
      return value.substituted || value.items.some((item) => holdsSubstitution(item));
    case 'map':
      return value.substituted || [...value.entries.values()].some((entry) => holdsSubstitution(entry.value));
  }
}

/** A copy of a value in which `change` has replaced each scalar. `change` is told the path of the scalar. */
export function mapScalars(
  value: LocatedValue,
  change: (scalar: LocatedScalar, path: KeyPath) => LocatedValue,
  path: KeyPath = [],
): LocatedValue {
  switch (value.kind) {
    case 'list':
      return { ...value, items: value.items.map((item, index) => mapScalars(item, change, [...path, index])) };
    case 'map': {
      const entries = [...value.entries].map(
        ([key, entry]) => [key, { ...entry, value: mapScalars(entry.value, change, [...path, key]) }] as const,
      );
      return { ...value, entries: new Map(entries) };
    }
    case 'scalar':
      return change(value, path);
  }
}
