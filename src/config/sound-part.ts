import { checkShape, type ShapeFault } from './check-shape.ts';
import type { KeyPath } from './located-value.ts';

/** Stand-ins for missing values, so that the rest can still be judged. No fault of a stand-in is reported. */
const placeholders: Readonly<Record<string, unknown>> = { appName: '-', chatClient: '-', models: {}, actions: 'none' };

/** More rounds than one fault can hide others. */
const mostRounds = 8;

export interface SoundPart {
  /** Fits the schema, with defaults filled in. */
  readonly value: Record<string, unknown>;
  /** What was taken out or made up on the way. */
  readonly removed: readonly KeyPath[];
}

/**
 * The configuration without what is at fault, so that cross-field rules can be reported together with faults of shape
 * (contract/configuration.md#faults, "all at once"). `value` is changed in place. Undefined when no sound part is found.
 */
export function soundPart(value: Record<string, unknown>, faults: readonly ShapeFault[]): SoundPart | undefined {
  const removed: KeyPath[] = [];
  let current = faults;
  for (let round = 0; round < mostRounds; round += 1) {
    if (current.length === 0) return { value, removed };
    // From the end, so that list positions stay what they are.
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
    // A hole in a list would move the faults of later items to other places, so an item at fault takes its list with
    // it.
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
