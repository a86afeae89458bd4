import type { UiAction, UiActionRequest, UiActions } from '../../src/core/request/ui-actions.ts';

export interface FakePage extends UiActions {
  offered: readonly UiAction[];
  /** The requests that the page got, in order. */
  readonly asked: UiActionRequest[];
}

/** The action that the fake page offers by default. It shows an order and changes nothing. */
export const showOrder: UiAction = {
  name: 'show_order',
  description: 'Scrolls to an order.',
  parameters: { type: 'object', properties: { id: { type: 'integer', title: 'Order' } }, required: ['id'] },
  readOnly: true,
};

/** A page that answers as the test says. */
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
