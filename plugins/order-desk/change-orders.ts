import { type ActionDefinition, defineAction } from 'helper';
import { priceText, type Shop } from './shop.ts';

/**
 * Changing things. None of these declares `readOnly` or `requiresConfirmation`: that makes it a write that says nothing
 * of itself, and the server asks the user before each one.
 */
export function changeOrders(shop: Shop): readonly ActionDefinition<never>[] {
  return [cancelOrder(shop), changeAddress(shop), issueRefund(shop)];
}

const orderNumberSchema = { type: 'integer', title: 'Order number', description: 'Such as 1002' };

function cancelOrder(shop: Shop): ActionDefinition<{ orderNumber: number }> {
  return defineAction({
    name: 'cancel_order',
    title: 'Cancel an order',
    // The user reads this text in the confirmation box, so it says what cannot be undone.
    description: 'Cancels an order for good. Possible until it is shipped.',
    parameters: {
      type: 'object',
      properties: { orderNumber: orderNumberSchema },
      required: ['orderNumber'],
      additionalProperties: false,
    },
    execute({ orderNumber }, context) {
      return shop.oncePerCall.run(context.callId, () => shop.orders.cancel(orderNumber));
    },
  });
}

function changeAddress(shop: Shop): ActionDefinition<{ orderNumber: number; address: string }> {
  return defineAction({
    name: 'change_address',
    title: 'Change a delivery address',
    description: 'Changes where an order is delivered. Possible until it is shipped.',
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
    execute({ orderNumber, address }, context) {
      return shop.oncePerCall.run(context.callId, () => shop.orders.changeAddress(orderNumber, address));
    },
  });
}

function issueRefund(shop: Shop): ActionDefinition<{ orderNumber: number; amount: number }> {
  return defineAction({
    name: 'issue_refund',
    title: 'Issue a refund',
    description: 'Pays money back for a shipped or delivered order. For supervisors only.',
    parameters: {
      type: 'object',
      properties: {
        orderNumber: orderNumberSchema,
        amount: { type: 'number', title: 'Amount', description: 'In the currency of the shop', exclusiveMinimum: 0 },
      },
      required: ['orderNumber', 'amount'],
      additionalProperties: false,
    },
    // Whoever lacks this role is refused before anything is asked or run, and so is everybody who has not signed in.
    requiredRoles: ['Supervisor'],
    execute({ orderNumber, amount }, context) {
      // Shown to the user while the action runs.
      context.progress(`Refunding ${priceText(amount, shop.currency)} for order ${orderNumber}`);
      return shop.oncePerCall.run(context.callId, () => {
        const order = shop.orders.refund(orderNumber, amount);
        context.log.info({ orderNumber, amount }, 'refund issued');
        return { ...order, refunded: shop.orders.refunded(orderNumber) };
      });
    },
  });
}
