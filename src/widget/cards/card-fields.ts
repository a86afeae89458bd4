import { fillCounted } from '../texts/fill-counted.ts';
import { fill } from '../texts/widget-texts.ts';
import type { CardField, FaultTexts } from './card-contract.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The user's inputs of a card, by their ids. A number stays a number. Several choices become one text with commas. */
export function readFields(box: Element, fields: readonly CardField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field, index) => [field.id, readField(elementOf(box, index), field)]));
}

/** The element of the field with this index: its input, or the group of its boxes. */
export function elementOf(box: Element, index: number): Element | null {
  return box.querySelector(`[data-field="${index}"]`);
}

/** Why the field's content cannot be sent, in the card's own words where the card gives any. Empty when it can be sent. */
export function faultOf(element: Element | null, field: CardField, texts: FaultTexts): string {
  const fault = isMissing(readField(element, field), field)
    ? fill(texts.cardRequired, { field: field.label })
    : isControl(element)
      ? contentFault(element, field, texts)
      : '';
  return fault === '' ? '' : field.errorMessage || fault;
}

function isMissing(value: unknown, { isRequired, type, off }: CardField): boolean {
  return isRequired && (String(value).trim() === '' || (type === 'toggle' && value === off));
}

function contentFault(control: Control, { type }: CardField, texts: FaultTexts): string {
  const { badInput, rangeUnderflow, rangeOverflow } = control.validity;
  // A browser reports an invalid number or date as an empty value.
  if (badInput) return type === 'number' ? texts.notANumber : texts.notADate;
  if (rangeUnderflow || rangeOverflow) return fill(texts.cardRange, { range: rangeOf(control, texts.locale) });
  if (control instanceof HTMLSelectElement) return '';
  const [count, max] = [control.value.length, control.maxLength];
  // Browsers enforce the length on what the user types, but not on the text that the card itself filled in.
  return max >= 0 && count > max ? fillCounted(texts.tooLong, { count, max }, texts.locale) : '';
}

/** The values that a field accepts, in the user's language: `1 – 5`, `≥ 1`, `≤ 5`. */
function rangeOf(control: Control, locale: string): string {
  const [min, max] = ['min', 'max'].map((name) => {
    const limit = control.getAttribute(name);
    if (limit === null) return '';
    if (control.type === 'number') return Number(limit).toLocaleString(locale);
    return new Date(limit).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  });
  if (!max) return `≥ ${min}`;
  return min ? `${min} – ${max}` : `≤ ${max}`;
}

function readField(element: Element | null, field: CardField): unknown {
  if (field.type === 'choices') {
    const chosen = [...(element?.querySelectorAll('input') ?? [])].filter((box) => box.checked);
    return chosen.map((box) => box.value).join(',');
  }
  if (element instanceof HTMLInputElement && field.type === 'toggle') return element.checked ? field.on : field.off;
  if (element instanceof HTMLInputElement && field.type === 'number') {
    return Number.isNaN(element.valueAsNumber) ? '' : element.valueAsNumber;
  }
  return isControl(element) ? element.value : '';
}

function isControl(element: Element | null): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}
