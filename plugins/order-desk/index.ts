/**
 * The order desk: a plugin to try the assistant with, and to copy. It is one folder with an `index.ts`; TypeScript runs
 * as it is, and `helper` is the server it runs in, so there is nothing to install and nothing to build.
 */
import { definePlugin } from 'helper';
import { changeOrders } from './change-orders.ts';
import { readOrders } from './read-orders.ts';
import { Shop } from './shop.ts';

const shop = new Shop();

export default definePlugin({
  name: 'order-desk',
  actions: [...readOrders(shop), ...changeOrders(shop)],

  // Where the assistant may send the user. `{orderNumber}` is filled in by the model, encoded by the server.
  pages: [
    { name: 'orders', title: 'All orders', url: '/', description: 'The list of all orders.' },
    {
      name: 'order',
      title: 'One order',
      url: '/?order={orderNumber}',
      description: 'One order with its details.',
    },
  ],

  // The list on the demo page. It is shown to anybody who opens that page, and read again after each action.
  demo: {
    title: 'Orders',
    description:
      'This is a small shop, and the assistant works in it. It reads these orders, and what it changes shows up here.',
    columns: [
      { name: 'orderNumber', title: 'Order' },
      { name: 'customer', title: 'Customer' },
      { name: 'item', title: 'Item' },
      {
        name: 'status',
        title: 'Status',
        tones: { open: 'info', packed: 'busy', shipped: 'warning', delivered: 'good', cancelled: 'bad' },
      },
      { name: 'total', title: 'Total' },
      { name: 'address', title: 'Ship to' },
      { name: 'placedOn', title: 'Placed on' },
    ],
    rows: () => shop.orders.list().map((order) => shop.shown(order)),
    reset: () => shop.startOver(),
  },

  // The block `pluginOptions.order-desk` of helper.yaml. A mistake in it stops startup and is named by line.
  configSchema: {
    type: 'object',
    properties: {
      currency: { type: 'string', pattern: '^[A-Z]{3}$', default: 'EUR', description: 'Currency of all amounts' },
    },
    additionalProperties: false,
  },

  // Connections are opened here and closed in stop(); the server begins to listen once every plugin has started.
  start(host) {
    // configSchema has made sure that it is text, and filled in the default.
    shop.open(String(host.options['currency']));
    host.log.info({ orders: shop.orders.list().length, currency: shop.currency }, 'the order desk is open');
  },
});
