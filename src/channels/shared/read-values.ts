/** Something a caller gave that is of the wrong type (`type`), or breaks a rule such as a limit (`rule`). The message may be shown to the caller. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
  readonly kind: 'type' | 'rule';

  constructor(kind: ValueFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An object from outside, whose members nobody has looked at. */
export type Fields = Readonly<Record<string, unknown>>;

/** What an id may look like (contract/addresses.md#answers). */
export const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Deepest nesting of the data. Far below what JSON.stringify can write: the data is written again for the model, and
 * that must not throw.
 */
const maxDataLevels = 64;

/** Reads what may be left out or null. @throws ValueFault */
export function optional<T>(value: unknown, name: string, read: (value: unknown, name: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value, name);
}

/** @throws ValueFault */
export function object(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${name} is not an object`);
  // An object that is no array has string keys and unknown values.
  return value as Fields;
}

/** @throws ValueFault */
export function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(`${name} is not an array`);
  return value;
}

/** @throws ValueFault */
export function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw wrong(`${name} is not a boolean`);
  return value;
}

/** @throws ValueFault */
export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrong(`${name} is not a string`);
  return value;
}

/** @throws ValueFault */
export function id(value: unknown, name: string): string {
  if (typeof value !== 'string' || !idPattern.test(value)) throw wrong(`${name} is not an id`);
  return value;
}

/** A text of at most so many characters. */
export function bounded(maxLength: number): (value: unknown, name: string) => string {
  return (value, name) => {
    const read = text(value, name);
    if (read.length > maxLength) throw breaksRule(`${name} is longer than ${String(maxLength)} characters.`);
    return read;
  };
}

/** JSON of at most so many bytes. */
export function boundedJson(maxBytes: number): (value: unknown, name: string) => unknown {
  return (value, name) => {
    if (!fitsInto(maxDataLevels, value)) throw breaksRule(`${name} has more than ${String(maxDataLevels)} levels.`);
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
      throw breaksRule(`${name} is larger than ${String(maxBytes)} bytes.`);
    }
    return value;
  };
}

/** A value of the wrong type. */
export function wrong(message: string): ValueFault {
  return new ValueFault('type', message);
}

/** A value of the right type that breaks a rule, such as a limit. */
export function breaksRule(message: string): ValueFault {
  return new ValueFault('rule', message);
}

/** Whether a value has at most so many objects and lists in each other. */
function fitsInto(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner));
}
