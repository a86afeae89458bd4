import type { NodePlan } from '../nodes/node-plan.ts';
import type { CardOptions, CardPlan } from './card-contract.ts';
import { CardPlanner } from './card-planner.ts';
import { objectOf, textOf } from './card-values.ts';

/** The plan of a card (contract/cards.md). Unknown elements are left out. A card without any known element shows its fallback text. */
export function planCard(card: unknown, options: CardOptions): CardPlan {
  const content = objectOf(card);
  const planner = new CardPlanner(options);
  const children = [...planner.planAll(content['body']), ...planner.planActions(content['actions'])];
  const fallback = textOf(content['fallbackText']);
  const shown: readonly NodePlan[] =
    children.length > 0 || fallback === '' ? children : [{ tag: 'p', children: [fallback] }];
  const root: NodePlan = {
    tag: 'div',
    attributes: {
      class: 'card-body',
      role: 'group',
      'aria-label': fallback === '' ? options.texts.cardLabel : fallback,
    },
    children: shown,
  };
  return { root, actions: planner.actions, fields: planner.fields };
}
