import { createHash } from 'node:crypto';
import { jsonText } from './json-text.ts';

/** JSON with sorted keys: two spellings of the same value are the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return jsonText(value);
  const entries = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join(',')}}`;
}

/** SHA-256 (hex) of the arguments a user is shown: an approval is bound to it (contract/confirmations.md#what-an-approval-covers). */
export function hashArguments(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
