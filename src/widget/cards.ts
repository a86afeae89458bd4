import cardsCss from './cards/cards.css';
import type { CardOptions, CardPlan } from './cards/card-contract.ts';
import { CardPlanner } from './cards/card-planner.ts';
import { objectOf, textOf } from './cards/card-values.ts';
import type { NodePlan } from './nodes/node-plan.ts';

/** Added to the panel's shadow root with the first card. */
export const cardStyles: string = cardsCss;

/** The plan of a card (wire.md 7). Elements that nobody knows are left out; a card without any says its fallback text. */
export function planCard(card: unknown, options: CardOptions): CardPlan {
  const content = objectOf(card);
  const planner = new CardPlanner(options);
  const children = [...planner.planAll(content['body']), ...planner.planActions(content['actions'])];
  const fallback = textOf(content['fallbackText']);
  const shown: readonly NodePlan[] = children.length > 0 || fallback === '' ? children : [{ tag: 'p', children: [fallback] }];
  const root: NodePlan = {
    tag: 'div',
    attributes: { class: 'card-body', role: 'group', 'aria-label': fallback === '' ? options.texts.cardLabel : fallback },
    children: shown,
  };
  return { root, actions: planner.actions, fields: planner.fields };
}
