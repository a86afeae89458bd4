import { jsonText } from '../base/json-text.ts';

/** Longest tool result the model is given, in characters (contract/plugins.md#results: 256 KiB). */
export const maxResultLength = 256 * 1024;

/** A result as the model reads it: text as it is, everything else as JSON, cut with a note when too long. */
export function modelText(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value);
  if (text.length <= maxResultLength) return text;
  return `${text.slice(0, maxResultLength)}\n[The result was cut here: it is ${String(text.length)} characters long.]`;
}
