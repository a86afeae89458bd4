import { isObject, type Payload } from './bridge-message.ts';

/**
 * Reads a text of at most `longest` characters.
 * @throws TypeError that names the field.
 */
export function readText(payload: Payload, name: string, longest: number): string {
  const text = readOptionalText(payload, name, longest);
  if (text === undefined) throw new TypeError(`${name} is missing`);
  return text;
}

/**
 * Reads a text that may be left out.
 * @throws TypeError that names the field, for anything but a text of at most `longest` characters.
 */
export function readOptionalText(payload: Payload, name: string, longest: number): string | undefined {
  const value = payload[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > longest)
    throw new TypeError(`${name} has to be a text of at most ${String(longest)} characters`);
  return value;
}

/**
 * Reads a list that may be left out.
 * @throws TypeError that names the field, for anything but a list of at most `longest` entries.
 */
export function readList(payload: Payload, name: string, longest: number): readonly unknown[] {
  const value = payload[name] ?? [];
  if (!Array.isArray(value) || value.length > longest)
    throw new TypeError(`${name} has to be a list of at most ${String(longest)}`);
  return value;
}

/**
 * Reads an object.
 * @throws TypeError that names the value, for anything else.
 */
export function readObject(value: unknown, name: string): Payload {
  if (!isObject(value)) throw new TypeError(`${name} has to be an object`);
  return value;
}
