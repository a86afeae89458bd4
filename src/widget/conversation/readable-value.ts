import type { ConfirmationArgumentFields } from '../../wire/hub-events.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { type VisiblePart, visibleParts, visibleValue } from './visible-text.ts';

type Scalar = string | number | boolean;

/**
 * An argument as people read it: yes or no, numbers and days in the user's own form, a list with a line for each entry. All else is shown as
 * `visibleValue` does. Nothing is left out, and a line end in a text is spelled out, so that no text looks like a list.
 */
export function readableValue(
  value: unknown,
  { format }: Pick<ConfirmationArgumentFields, 'format'>,
  texts: Pick<WidgetTexts, 'yes' | 'no' | 'timeLocale'>,
): VisiblePart[] {
  if (isScalar(value)) return scalarParts(value, format, texts);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isScalar)) return visibleValue(value);
  return value.flatMap((item: Scalar, index) => [
    { text: `${index === 0 ? '' : '\n'}• `, isEscaped: false },
    ...scalarParts(item, undefined, texts),
  ]);
}

function scalarParts(
  value: Scalar,
  format: string | undefined,
  { yes, no, timeLocale }: Pick<WidgetTexts, 'yes' | 'no' | 'timeLocale'>,
): VisiblePart[] {
  if (typeof value === 'boolean') return [{ text: value ? yes : no, isEscaped: false }];
  if (typeof value === 'number') {
    // The groups of a whole number may be wrong: it is the number of an order as often as an amount.
    const isWhole = Number.isInteger(value);
    return [
      {
        text: isWhole ? String(value) : value.toLocaleString(timeLocale, { maximumFractionDigits: 20 }),
        isEscaped: false,
      },
    ];
  }
  const moment = momentOf(value, format, timeLocale);
  return moment === undefined ? visibleValue(value) : visibleParts(moment);
}

/** A day or a moment of RFC 3339 in the form and the time zone of the user. Undefined for any other text. */
function momentOf(value: string, format: string | undefined, locale: string): string | undefined {
  const isDay = format === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isMoment = format === 'date-time' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(value);
  if (!isDay && !isMoment) return undefined;
  const moment = new Date(isDay ? `${value}T00:00:00Z` : value);
  // A day that no calendar has would become another one.
  if (Number.isNaN(moment.getTime()) || (isDay && !moment.toISOString().startsWith(value))) return undefined;
  if (isDay) return moment.toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
  return moment.toLocaleString(locale, { dateStyle: 'full', timeStyle: 'long' });
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
