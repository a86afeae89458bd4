import { oneLine } from '../../../core/base/one-line.ts';
import { hasMembers } from '../../shared/members.ts';
import type { ApiAnswer } from './api-connection.ts';

/** Members in which APIs say in words what is wrong: problem details (RFC 9457), and what is common. */
const wordMembers = ['detail', 'message', 'error_description', 'title', 'error', 'errors'] as const;
const longestWords = 300;

/**
 * The data of a successful answer, as the model reads it (contract/openapi.md#calls): JSON as it is, text as text. Of anything else the
 * model is told what came.
 */
export function valueOfAnswer({ status, type, text }: ApiAnswer): unknown {
  if (text.trim() === '') return `The call succeeded with status ${String(status)}. Nothing was returned.`;
  if (type === 'application/json' || type.endsWith('+json') || type === '') return jsonOrText(text);
  const isText = type.startsWith('text/') || type === 'application/xml' || type.endsWith('+xml');
  return isText ? text : `The call succeeded. It returned ${type.slice(0, 100)}, which is not shown.`;
}

/** The texts of JSON, and its numbers. */
const textOrNumber = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*/g;

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A reviver would be called for every value, which takes ten times as long.
    return /\d{16}/.test(text) ? (JSON.parse(text.replace(textOrNumber, exactNumber)) as unknown) : value;
  } catch {
    return text;
  }
}

/** A whole number that would lose digits becomes a text. With other digits it would be the number of another record. */
function exactNumber(source: string): string {
  if (source.startsWith('"')) return source;
  const number = Number(source);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? `"${source}"` : source;
}

/** What an API says of a call that it refuses: one line of its own words. Empty where it says nothing in words. */
export function wordsOfRefusal({ type, text }: ApiAnswer): string {
  if (type !== 'application/json' && !type.endsWith('+json')) return '';
  return oneLine(wordsIn(jsonOrText(text), 0)).slice(0, longestWords);
}

function wordsIn(value: unknown, level: number): string {
  if (typeof value === 'string') return value.slice(0, longestWords);
  if (level > 2) return '';
  if (Array.isArray(value))
    return value
      .slice(0, 5)
      .map((item) => wordsIn(item, level + 1))
      .filter((words) => words !== '')
      .join('; ');
  if (!hasMembers(value)) return '';
  // Python APIs list faults as {loc, msg}.
  for (const member of [...wordMembers, 'msg']) {
    const words = wordsIn(Object.hasOwn(value, member) ? value[member] : undefined, level + 1);
    if (words !== '') return words;
  }
  return '';
}
