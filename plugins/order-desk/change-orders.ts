import { type ActionDefinition, card, defineAction } from 'helper';
import { orderCard } from './order-cards.ts';
import type { Order } from './order.ts';
import { priceOf, priceText } from './price.ts';
import type { Shop } from './shop.ts';

/**
 * Actions that change orders. None of them declares `readOnly` or `requiresConfirmation: false`, so each is a write, and the server asks
 * the user before it runs.
 */
export function changeOrders(shop: Shop): readonly ActionDefinition<never>[] {
  return [cancelOrder(shop), changeAddress(shop), issueRefund(shop)];
}

const orderNumberSchema = { type: 'integer', title: 'Order number', description: 'Such as 1002' };

function cancelOrder(shop: Shop): ActionDefinition<{ orderNumber: number }> {
  return defineAction({
    name: 'cancel_order',
    title: 'Cancel an order',
    // What the confirmation box asks, and what stands on its buttons.
    confirm: { title: 'Cancel order {orderNumber}?', approve: 'Cancel the order', decline: 'Keep it' },
    // The user reads this text in the confirmation box.
    description: 'Cancels an order for good. Possible until it is shipped.',
    // The confirmation box says that a cancellation cannot be undone, and no rule can approve it in place of the user.
    destructive: true,
    trusted: true,
    parameters: {
      type: 'object',
      properties: { orderNumber: orderNumberSchema },
      required: ['orderNumber'],
      additionalProperties: false,
    },
    examples: ['Cancel order 1002'],
    execute({ orderNumber }, context) {
      return shop.oncePerCall.run(context.callId, () => result(shop, shop.orders.cancel(orderNumber)));
    },
  });
}

function changeAddress(shop: Shop): ActionDefinition<{ orderNumber: number; address: string }> {
  return defineAction({
    name: 'change_address',
    title: 'Change a delivery address',
    description: 'Changes where an order is delivered. Possible until it is shipped.',
    trusted: true,
    parameters: {
      type: 'object',
      properties: {
        orderNumber: orderNumberSchema,
        address: {
          type: 'string',
          title: 'New address',
          description: 'The complete address: street and number, town, postcode',
          minLength: 5,
          maxLength: 200,
        },
      },
      required: ['orderNumber', 'address'],
      additionalProperties: false,
    },
    examples: ['Change the address of order 1005 to 2 Canal Side, Glasgow G4 9XA'],
    execute({ orderNumber, address }, context) {
      return shop.oncePerCall.run(context.callId, () => result(shop, shop.orders.changeAddress(orderNumber, address)));
    },
  });
}

function issueRefund(shop: Shop): ActionDefinition<{ orderNumber: number; amount: string }> {
  return defineAction({
    name: 'issue_refund',
    title: 'Issue a refund',
    description: 'Pays money back for a shipped or delivered order. For supervisors only.',
    trusted: true,
    parameters: {
      type: 'object',
      properties: {
        orderNumber: orderNumberSchema,
        // The amount is a text with its currency, so that the user confirms it in the same form as all other amounts.
        amount: {
          type: 'string',
          title: 'Amount',
          description: 'With the currency as in the total of the order, such as €12.50',
          pattern: String.raw`^[^\d.,\s]{0,3}\s?\d[\d,]{0,11}(\.\d{1,2})?$`,
        },
      },
      required: ['orderNumber', 'amount'],
      additionalProperties: false,
    },
    // Users without this role, and users who have not signed in, are refused before anything is asked or run.
    requiredRoles: ['Supervisor'],
    execute({ orderNumber, amount }, context) {
      const price = priceOf(amount, shop.currency);
      // Shown to the user while the action runs.
      context.progress(`Refunding ${priceText(price, shop.currency)} for order ${orderNumber}`);
      return shop.oncePerCall.run(context.callId, () => {
        const order = shop.orders.refund(orderNumber, price);
        context.log.info({ orderNumber, amount: price }, 'refund issued');
        return result(shop, order);
      });
    },
  });
}

/** The order as it is now, for the model and on a card. */
function result(shop: Shop, order: Order): unknown {
  const shown = shop.shownWithRefund(order);
  return card(shown, orderCard(shown));
}
