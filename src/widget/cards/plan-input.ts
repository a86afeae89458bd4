import type { Attributes, NodePlan } from '../nodes/node-plan.ts';
import type { CardField, CardOptions } from './card-contract.ts';
import { type CardObject, numberOf, objectsOf, textOf } from './card-values.ts';

/** Where an input registers itself. */
export interface InputRegistry {
  readonly fields: CardField[];
  readonly options: CardOptions;
}

/** An input with its label. An input without an `id` is left out, because its value could not be sent. */
export function planInput(element: CardObject, registry: InputRegistry): NodePlan[] {
  const id = textOf(element['id']);
  const type = fieldType(element);
  if (id === '' || type === null) return [];
  const label = textOf(element['label']) || textOf(element['title']) || textOf(element['placeholder']) || id;
  const isRequired = element['isRequired'] === true;
  const on = textOf(element['valueOn']) || 'true';
  const errorMessage = textOf(element['errorMessage']);
  const off = textOf(element['valueOff']) || 'false';
  const index = registry.fields.push({ id, label, isRequired, errorMessage, type, on, off }) - 1;
  const domId = `${registry.options.idPrefix}-${index}`;
  const attributes = {
    id: domId,
    'data-field': String(index),
    ...(isRequired ? { 'aria-required': 'true' } : {}),
  };
  const shownLabel = isRequired ? `${label} *` : label;
  if (type === 'toggle') return [planToggle({ element, attributes, label: shownLabel, on })];
  if (type === 'choices') return [planChoices({ element, attributes, label: shownLabel, domId })];
  const control = type === 'choice' ? planSelect(element, attributes) : planControl(element, attributes);
  return [{ tag: 'div', attributes: { class: 'field' }, children: [labelOf(domId, shownLabel), control] }];
}

function fieldType(element: CardObject): CardField['type'] | null {
  switch (element['type']) {
    case 'Input.Text':
    case 'Input.Date':
      return 'text';
    case 'Input.Number':
      return 'number';
    case 'Input.Toggle':
      return 'toggle';
    case 'Input.ChoiceSet':
      return element['isMultiSelect'] === true ? 'choices' : 'choice';
    default:
      return null;
  }
}

function labelOf(domId: string, label: string): NodePlan {
  return { tag: 'label', attributes: { for: domId }, children: [label] };
}

function planControl(element: CardObject, attributes: Attributes): NodePlan {
  const value = textOf(element['value']);
  const shared = { ...attributes, class: 'control', placeholder: textOf(element['placeholder']) };
  if (element['type'] === 'Input.Text') {
    const limit = { maxlength: textOf(element['maxLength']) || '4000' };
    if (element['isMultiline'] === true) {
      return { tag: 'textarea', attributes: { ...shared, ...limit, rows: '3' }, children: [value] };
    }
    return { tag: 'input', attributes: { ...shared, ...limit, type: 'text', value } };
  }
  const type = element['type'] === 'Input.Number' ? 'number' : 'date';
  const [min, max] = [limitOf(element['min'], type), limitOf(element['max'], type)];
  const range = { ...(min === '' ? {} : { min }), ...(max === '' ? {} : { max }) };
  return {
    tag: 'input',
    attributes: { ...shared, ...range, type, value, ...(type === 'number' ? { step: 'any' } : {}) },
  };
}

/** A limit that a browser understands. The browser ignores any other limit, and so does the widget. */
function limitOf(limit: unknown, type: 'number' | 'date'): string {
  if (type === 'number') return textOf(numberOf(limit));
  const day = textOf(limit);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : '';
}

function planSelect(element: CardObject, attributes: Attributes): NodePlan {
  const value = textOf(element['value']);
  const options = objectsOf(element['choices']).map((choice): NodePlan => {
    const own = textOf(choice['value']);
    return {
      tag: 'option',
      attributes: { value: own, ...(own === value ? { selected: '' } : {}) },
      children: [textOf(choice['title'])],
    };
  });
  const empty: NodePlan = { tag: 'option', attributes: { value: '' }, children: [textOf(element['placeholder'])] };
  return { tag: 'select', attributes: { ...attributes, class: 'control' }, children: [empty, ...options] };
}

function planToggle(toggle: {
  readonly element: CardObject;
  readonly attributes: Attributes;
  readonly label: string;
  readonly on: string;
}): NodePlan {
  const isOn = textOf(toggle.element['value']) === toggle.on;
  const box: NodePlan = {
    tag: 'input',
    attributes: { ...toggle.attributes, type: 'checkbox', ...(isOn ? { checked: '' } : {}) },
  };
  return { tag: 'label', attributes: { class: 'choice' }, children: [box, { tag: 'span', children: [toggle.label] }] };
}

/** Several choices are drawn as a group of boxes, because a list box with several selections is hard to use with a keyboard. */
function planChoices(set: {
  readonly element: CardObject;
  readonly attributes: Attributes;
  readonly label: string;
  readonly domId: string;
}): NodePlan {
  const chosen = new Set(textOf(set.element['value']).split(','));
  const boxes = objectsOf(set.element['choices']).map((choice): NodePlan => {
    const value = textOf(choice['value']);
    const attributes = { type: 'checkbox', value, name: set.domId, ...(chosen.has(value) ? { checked: '' } : {}) };
    return {
      tag: 'label',
      attributes: { class: 'choice' },
      children: [
        { tag: 'input', attributes },
        { tag: 'span', children: [textOf(choice['title'])] },
      ],
    };
  });
  return {
    tag: 'fieldset',
    attributes: { class: 'field', 'data-field': set.attributes['data-field'] ?? '' },
    children: [{ tag: 'legend', children: [set.label] }, ...boxes],
  };
}
