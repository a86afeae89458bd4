import { checkShape, type ShapeFault } from './check-shape.ts';
import type { KeyPath } from './located-value.ts';

/** Values that stand in for missing ones, so that the other settings can still be checked. Faults of these values are not reported. */
const placeholders: Readonly<Record<string, unknown>> = { appName: '-', chatClient: '-', models: {}, actions: 'none' };

/** The most rounds of checking. One fault can hide others, which a later round finds. */
const mostRounds = 8;

export interface SoundPart {
  /** Fits the schema, with defaults filled in. */
  readonly value: Record<string, unknown>;
  /** The paths of values that were removed or made up. */
  readonly removed: readonly KeyPath[];
}

/**
 * The configuration without its faulty values, so that the faults of cross-field rules are reported together with faults of shape
 * (contract/configuration.md#faults, "all at once"). `value` is changed in place. Undefined when a sound part is not found.
 */
export function soundPart(value: Record<string, unknown>, faults: readonly ShapeFault[]): SoundPart | undefined {
  const removed: KeyPath[] = [];
  let current = faults;
  for (let round = 0; round < mostRounds; round += 1) {
    if (current.length === 0) return { value, removed };
    // Faults are removed from the end, so that the positions of earlier list items do not change.
    for (const fault of current.toReversed()) removed.push(take(value, fault));
    current = checkShape(value);
  }
  return undefined;
}

function take(value: Record<string, unknown>, fault: ShapeFault): KeyPath {
  const last = fault.path.at(-1);
  const path = fault.kind === 'missing-key' && fault.path.length > 1 ? fault.path.slice(0, -1) : fault.path;
  const parent = path.slice(0, -1).reduce<unknown>((current, key) => child(current, key), value);
  const key = path.at(-1);
  if (Array.isArray(parent)) {
    // Removing one item would move the later items of the list, and with them the places of their faults. An item at fault therefore
    // removes its whole list.
    return take(value, { kind: 'bad-value', path: path.slice(0, -1) });
  }
  if (isMap(parent) && typeof key === 'string') {
    if (path.length === 1 && typeof last === 'string' && Object.hasOwn(placeholders, last))
      parent[key] = placeholders[last];
    else Reflect.deleteProperty(parent, key);
  }
  return path;
}

function child(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isMap(value) ? value[String(key)] : undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
