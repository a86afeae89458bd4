import type { WidgetTexts } from '../texts/widget-texts.ts';
import { toJson } from '../transport/signalr/to-json.ts';

/** How a value is changed. A value without a field of its own is edited as JSON. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'json';

/** What a field holds: a value of its kind, or the name of the text that says why the content is no value. */
export type FieldValue =
  | { readonly value: unknown; readonly isChanged: boolean }
  | { readonly fault: keyof Pick<WidgetTexts, 'notANumber' | 'notJson'> };

/** The kind of field for a raw JSON value. */
export function kindOf(value: unknown): ValueKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'json';
}

/** The text that a field shows at first for the value. */
export function draftOf(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value, 2);
}

/**
 * Reads the edited text as a value of the same kind as `original`. A text that means the same as before returns `original` unchanged,
 * since browsers write every line end as `\n` and JSON can be laid out anew.
 */
export function readDraft(original: unknown, draft: string): FieldValue {
  const kind = kindOf(original);
  if (kind === 'text') {
    const isChanged = draft !== draftOf(original).replace(/\r\n?/g, '\n');
    return { value: isChanged ? draft : original, isChanged };
  }
  const value = parsed(draft);
  if (kind === 'number' && typeof value !== 'number') return { fault: 'notANumber' };
  if (value === undefined) return { fault: 'notJson' };
  const isChanged = JSON.stringify(value) !== JSON.stringify(original);
  return { value: isChanged ? value : original, isChanged };
}

/** Returns undefined for a text that is no JSON, because undefined is no JSON value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
