/**
 * A caller's value that has the wrong type (`type`), or that breaks a rule such as a limit (`rule`). The message may be shown to the
 * caller.
 */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
  readonly kind: 'type' | 'rule';

  constructor(kind: ValueFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An object from outside, whose members are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** What an id may look like (contract/addresses.md#answers). */
export const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The deepest nesting of data. The data is written as JSON again for the model, which must not throw. JSON.stringify can write much deeper
 * nesting than this.
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

/** Reads a text of at most this many characters. */
export function bounded(maxLength: number): (value: unknown, name: string) => string {
  return (value, name) => {
    const read = text(value, name);
    if (read.length > maxLength) throw breaksRule(`${name} is longer than ${String(maxLength)} characters.`);
    return read;
  };
}

/** Reads JSON of at most this many bytes. */
export function boundedJson(maxBytes: number): (value: unknown, name: string) => unknown {
  return (value, name) => {
    if (!fitsInto(maxDataLevels, value)) throw breaksRule(`${name} has more than ${String(maxDataLevels)} levels.`);
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
      throw breaksRule(`${name} is larger than ${String(maxBytes)} bytes.`);
    }
    return value;
  };
}

/** A copy of a value in its JSON form. The program cannot change the copy later, and a value with cycles is refused. @throws ValueFault */
export function asJson(value: unknown, name: string): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return copy;
  } catch {
    throw wrong(`${name} cannot be written as JSON`);
  }
}

/** A value of the wrong type. */
export function wrong(message: string): ValueFault {
  return new ValueFault('type', message);
}

/** A value of the right type that breaks a rule, such as a limit. */
export function breaksRule(message: string): ValueFault {
  return new ValueFault('rule', message);
}

/** Whether a value has at most this many nested objects and lists. */
function fitsInto(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner));
}
