import { createHash } from 'node:crypto';
import { jsonText } from './json-text.ts';

/** JSON with sorted keys, so that two spellings of the same value give the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return jsonText(value);
  const entries = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join(',')}}`;
}

/**
 * The SHA-256 (hex) of the arguments a user is shown. An approval is bound to this hash
 * (contract/confirmations.md#what-an-approval-covers).
 */
export function hashArguments(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
