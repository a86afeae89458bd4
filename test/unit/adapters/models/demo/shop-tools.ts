import type { ToolDeclaration } from '../../../../../src/core/ports/chat-model.ts';
import type { DemoPage } from '../../../../../src/adapters/models/demo/demo-options.ts';

const orderNumber = { type: 'integer', title: 'Order number', description: 'Such as 1002' };

/** Declarations of an order desk, as a host would write them. */
export const shopTools: readonly ToolDeclaration[] = [
  {
    name: 'list_orders',
    description: 'Lists the orders of the shop, all of them or only those with one status.',
    parameters: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['open', 'packed', 'shipped', 'delivered', 'cancelled', 'refunded'] },
      },
    },
  },
  {
    name: 'get_order',
    description: 'Returns one order by its number: customer, item, status, total, address and day.',
    parameters: { type: 'object', properties: { orderNumber }, required: ['orderNumber'] },
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order for good. Possible until it is shipped.',
    parameters: { type: 'object', properties: { orderNumber }, required: ['orderNumber'] },
  },
  {
    name: 'change_address',
    description: 'Changes where an order is delivered. Possible until it is shipped.',
    parameters: {
      type: 'object',
      properties: { orderNumber, address: { type: 'string', title: 'New address' } },
      required: ['orderNumber', 'address'],
    },
  },
  {
    name: 'issue_refund',
    description: 'Pays money back for a shipped or delivered order. For supervisors only.',
    parameters: {
      type: 'object',
      properties: { orderNumber, amount: { type: 'number', title: 'Amount' } },
      required: ['orderNumber', 'amount'],
    },
  },
  {
    name: 'navigate_to_page',
    description: "Sends the user's browser to one of the application's pages.",
    parameters: {
      type: 'object',
      properties: { page: { type: 'string', enum: ['orders', 'order'] }, params: { type: 'object' } },
      required: ['page'],
    },
  },
];

/** Its pages. */
export const shopPages: readonly DemoPage[] = [
  { name: 'orders', title: 'All orders', url: '/', description: 'The list of all orders.' },
  { name: 'order', title: 'One order', url: '/?order={orderNumber}', description: 'One order with its details.' },
];

/** Titles of the tools; the others have none. */
export const shopTitles: Readonly<Record<string, string>> = { cancel_order: 'Cancel an order' };
