import type { ShownOrder } from './order.ts';

/**
 * Cards are Adaptive Cards, plain JSON. The server checks them and the widget draws them in the colours of the page.
 */
export function orderCard(order: ShownOrder): object {
  return {
    type: 'AdaptiveCard',
    version: '1.5',
    fallbackText: `Order ${order.orderNumber}: ${order.item}, ${order.status}`,
    body: [
      { type: 'TextBlock', text: `Order ${order.orderNumber}`, weight: 'Bolder', size: 'Medium' },
      {
        type: 'FactSet',
        facts: [
          { title: 'Customer', value: order.customer },
          { title: 'Item', value: order.item },
          { title: 'Status', value: order.status },
          { title: 'Total', value: order.total },
          { title: 'Address', value: order.address },
          { title: 'Placed on', value: order.placedOn },
        ],
      },
    ],
  };
}

/** One row per order. */
export function ordersCard(orders: readonly ShownOrder[]): object {
  return {
    type: 'AdaptiveCard',
    version: '1.5',
    fallbackText: `${orders.length} orders`,
    body: [
      {
        type: 'Table',
        firstRowAsHeader: true,
        columns: [{ width: 1 }, { width: 2 }, { width: 1 }, { width: 1 }],
        rows: [
          row(['Order', 'Item', 'Status', 'Total']),
          ...orders.map((order) => row([String(order.orderNumber), order.item, order.status, order.total])),
        ],
      },
    ],
  };
}

function row(texts: readonly string[]): object {
  const cells = texts.map((text) => ({ type: 'TableCell', items: [{ type: 'TextBlock', text, wrap: true }] }));
  return { type: 'TableRow', cells };
}
