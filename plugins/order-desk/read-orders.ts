import { type ActionDefinition, card, defineAction } from 'helper';
import { type OrderStatus, orderStatuses } from './order.ts';
import { orderCard, ordersCard } from './order-cards.ts';
import type { Shop } from './shop.ts';

/** Looking things up. `readOnly: true` says that nothing changes, so the assistant may do it without asking. */
export function readOrders(shop: Shop): readonly ActionDefinition<never>[] {
  return [listOrders(shop), getOrder(shop)];
}

function listOrders(shop: Shop): ActionDefinition<{ status?: OrderStatus }> {
  return defineAction({
    name: 'list_orders',
    title: 'List orders',
    // The model chooses by this text: say what the action returns and when it is the right one.
    description: 'Lists the orders of the shop, all of them or only those with one status.',
    parameters: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: orderStatuses, title: 'Status', description: 'Only orders with this status' },
      },
      additionalProperties: false,
    },
    readOnly: true,
    // The shop alone writes into its orders. Leave it out where customers can, as in a note (docs/guides/provenance.md).
    trusted: true,
    // Sentences in which users ask for this action. The demo page shows each as a button.
    examples: ['Show me my open orders'],
    execute({ status }) {
      const orders = shop.orders.list(status).map((order) => shop.shown(order));
      // The model reads the data. The user sees the card beside the reply, and the model is told so.
      return card({ orders }, ordersCard(orders));
    },
  });
}

function getOrder(shop: Shop): ActionDefinition<{ orderNumber: number }> {
  return defineAction({
    name: 'get_order',
    title: 'Look up an order',
    description: 'Returns one order by its number: customer, item, status, total, address and day.',
    parameters: {
      type: 'object',
      properties: { orderNumber: { type: 'integer', title: 'Order number', description: 'Such as 1002' } },
      required: ['orderNumber'],
      additionalProperties: false,
    },
    readOnly: true,
    trusted: true,
    execute({ orderNumber }) {
      const order = shop.shownWithRefund(shop.orders.get(orderNumber));
      return card(order, orderCard(order));
    },
  });
}
