import { isDeeperThan, maxArgumentLevels } from '../../core/base/json-depth.ts';

/** A JSON object, else undefined. Arrays are not objects here. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // Guaranteed by the three checks above: every own key of a plain value can be read as unknown.
  return value as Readonly<Record<string, unknown>>;
}

/** A text that is not empty, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count, else undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The elements of an array, else none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses JSON text. Undefined when the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The arguments of a call as text. Some providers and packages hand over an object. A number in it that JSON would write as another value is
 * written as a text, so that no check takes it for a number.
 */
export function argumentsText(written: unknown): string | undefined {
  if (objectOf(written) === undefined) return textOf(written);
  return JSON.stringify(written, (_name, value: unknown) => {
    if (typeof value !== 'number') return value;
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? value : String(value);
  });
}

/**
 * The arguments of a call as an object. It is empty for arguments that are no JSON object, or are nested too deeply: their call never ran,
 * and its outcome says why.
 */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  const written = objectOf(parsedJson(text)) ?? {};
  return isDeeperThan(maxArgumentLevels, written) ? {} : written;
}
