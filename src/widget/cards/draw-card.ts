import { createNode } from '../nodes/create-node.ts';
import type { DrawnCardOptions } from './cards-module.ts';
import { readFields } from './card-fields.ts';
import { FieldMark } from './field-mark.ts';
import { planCard } from './plan-card.ts';

/** Draws a card, whose buttons send the card's inputs once. */
export function drawCard(card: unknown, options: DrawnCardOptions): HTMLElement {
  const { root, actions, fields } = planCard(card, options);
  const element = document.createElement('div');
  element.append(createNode(root));
  const mark = new FieldMark({ box: element, fields, texts: options.texts, idPrefix: options.idPrefix });
  let isSent = false;
  element.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-action]') : null;
    const action = actions[Number(button?.getAttribute('data-action') ?? -1)];
    if (action?.type !== 'submit' || isSent) return;
    if (!mark.passes()) return;
    const values = readFields(element, fields);
    isSent = true;
    disableControls(element);
    options.onSubmit(action.title, { ...action.data, ...values });
  });
  return element;
}

/** Disables buttons through `aria-disabled`, so that the pressed button keeps the focus. */
function disableControls(element: Element): void {
  for (const control of element.querySelectorAll('button, input, select, textarea')) {
    control.setAttribute('aria-disabled', 'true');
    if (control.tagName !== 'BUTTON') control.setAttribute('disabled', '');
  }
}
