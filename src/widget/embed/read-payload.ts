import { isObject, type Payload } from './bridge-message.ts';

/** @throws TypeError that names the field, for anything but a text of that length. */
export function readText(payload: Payload, name: string, longest: number): string {
  const text = readOptionalText(payload, name, longest);
  if (text === undefined) throw new TypeError(`${name} is missing`);
  return text;
}

/** A field that may be left out. @throws TypeError that names the field, for anything but a text of that length. */
export function readOptionalText(payload: Payload, name: string, longest: number): string | undefined {
  const value = payload[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > longest)
    throw new TypeError(`${name} has to be a text of at most ${String(longest)} characters`);
  return value;
}

/** A list that may be left out. @throws TypeError that names the field, for anything but a list of so many. */
export function readList(payload: Payload, name: string, longest: number): readonly unknown[] {
  const value = payload[name] ?? [];
  if (!Array.isArray(value) || value.length > longest)
    throw new TypeError(`${name} has to be a list of at most ${String(longest)}`);
  return value;
}

/** @throws TypeError that says what it is, for anything but an object. */
export function readObject(value: unknown, name: string): Payload {
  if (!isObject(value)) throw new TypeError(`${name} has to be an object`);
  return value;
}
