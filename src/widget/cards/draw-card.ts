import { createNode } from '../nodes/create-node.ts';
import { fill } from '../texts/widget-texts.ts';
import type { DrawnCardOptions } from './cards-module.ts';
import { missingField, readFields } from './card-fields.ts';
import { planCard } from './plan-card.ts';

/** Draws a card whose buttons send what is in its inputs, once. */
export function drawCard(card: unknown, options: DrawnCardOptions): HTMLElement {
  const { root, actions, fields } = planCard(card, options);
  const element = document.createElement('div');
  const error = document.createElement('p');
  error.className = 'card-error';
  error.setAttribute('role', 'alert');
  element.append(createNode(root), error);
  let isSent = false;
  element.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-action]') : null;
    const action = actions[Number(button?.getAttribute('data-action') ?? -1)];
    if (action?.type !== 'submit' || isSent) return;
    const values = readFields(element, fields);
    const missing = missingField(fields, values);
    error.textContent = missing === null ? '' : fill(options.texts.cardRequired, { field: missing.label });
    if (missing !== null) return;
    isSent = true;
    disableControls(element);
    options.onSubmit(action.title, { ...action.data, ...values });
  });
  return element;
}

/** Buttons keep the focus that they have. */
function disableControls(element: Element): void {
  for (const control of element.querySelectorAll('button, input, select, textarea')) {
    control.setAttribute('aria-disabled', 'true');
    if (control.tagName !== 'BUTTON') control.setAttribute('disabled', '');
  }
}
