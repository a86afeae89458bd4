import type { UiAction, UiActionRequest, UiActions } from '../../src/core/request/ui-actions.ts';

export interface FakePage extends UiActions {
  offered: readonly UiAction[];
  /** What it was asked, in order. */
  readonly asked: UiActionRequest[];
}

/** What the fake page offers unless told otherwise: to show an order, which changes nothing. */
export const showOrder: UiAction = {
  name: 'show_order',
  description: 'Scrolls to an order.',
  parameters: { type: 'object', properties: { id: { type: 'integer', title: 'Order' } }, required: ['id'] },
  readOnly: true,
};

/** A page that answers as it is told. */
export function fakePage(
  answer: (request: UiActionRequest) => unknown = () => ({ shown: true }),
  offered: readonly UiAction[] = [showOrder],
): FakePage {
  const asked: UiActionRequest[] = [];
  return {
    offered,
    asked,
    async run(request) {
      asked.push(request);
      return answer(request);
    },
  };
}
