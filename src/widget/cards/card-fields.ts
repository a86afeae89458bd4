import type { CardField } from './card-contract.ts';

/** What the user put into a card's inputs, by their ids. Numbers are numbers; several choices are one text with commas. */
export function readFields(box: Element, fields: readonly CardField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field, index) => [field.id, readField(box.querySelector(`[data-field="${index}"]`), field)]),
  );
}

/** The first required input without a value. */
export function missingField(
  fields: readonly CardField[],
  values: Readonly<Record<string, unknown>>,
): CardField | null {
  return (
    fields.find(({ id, isRequired, type, off }) => {
      const value = values[id];
      return isRequired && (value === '' || value === undefined || (type === 'toggle' && value === off));
    }) ?? null
  );
}

function readField(control: Element | null, field: CardField): unknown {
  if (field.type === 'choices') {
    const chosen = [...(control?.querySelectorAll('input') ?? [])].filter((box) => box.checked);
    return chosen.map((box) => box.value).join(',');
  }
  if (control instanceof HTMLInputElement && field.type === 'toggle') return control.checked ? field.on : field.off;
  if (control instanceof HTMLInputElement && field.type === 'number') {
    return Number.isNaN(control.valueAsNumber) ? '' : control.valueAsNumber;
  }
  const isControl =
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement;
  return isControl ? control.value : '';
}
