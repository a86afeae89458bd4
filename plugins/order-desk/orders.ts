import type { Order, OrderStatus } from './order.ts';
import { priceText } from './price.ts';
import { sampleOrders } from './sample-orders.ts';

/**
 * The sample's database: orders in memory, in their state at the start of the server. Replace this file with calls to your own system; the
 * actions use only these methods.
 *
 * The rules are here and not in the actions, because the order desk must never ship a cancelled order, whoever asks. Each method throws
 * when a rule forbids something. The model and the user are told the message of the error.
 */
export class Orders {
  readonly #orders = new Map(sampleOrders.map((order) => [order.orderNumber, order]));
  readonly #refunds = new Map<number, number>();
  readonly #currency: string;

  /** Refusals name amounts in this currency. */
  constructor(currency: string) {
    this.#currency = currency;
  }

  /** All orders, or those in one state, by number. */
  list(status?: OrderStatus): readonly Order[] {
    const all = [...this.#orders.values()];
    return status === undefined ? all : all.filter((order) => order.status === status);
  }

  get(orderNumber: number): Order {
    const order = this.#orders.get(orderNumber);
    if (order !== undefined) return order;
    const numbers = [...this.#orders.keys()];
    throw new Error(
      `There is no order ${orderNumber}. Order numbers run from ${Math.min(...numbers)} to ${Math.max(...numbers)}.`,
    );
  }

  cancel(orderNumber: number): Order {
    const order = this.get(orderNumber);
    if (!isInHouse(order)) {
      throw new Error(`Order ${orderNumber} cannot be cancelled, because it is already ${order.status}.`);
    }
    return this.#save({ ...order, status: 'cancelled' });
  }

  changeAddress(orderNumber: number, address: string): Order {
    const order = this.get(orderNumber);
    if (!isInHouse(order)) {
      throw new Error(`The address of order ${orderNumber} cannot be changed, because it is already ${order.status}.`);
    }
    return this.#save({ ...order, address });
  }

  /** Pays back a part or all of the price; the order counts as refunded once nothing is left. */
  refund(orderNumber: number, amount: number): Order {
    const order = this.get(orderNumber);
    if (order.status !== 'shipped' && order.status !== 'delivered') {
      throw new Error(`Order ${orderNumber} is ${order.status}; only shipped and delivered orders are refunded.`);
    }
    if (amount <= 0) throw new Error('An amount is more than nothing.');
    if (roundToCents(amount) !== amount) throw new Error('An amount has at most two decimals.');
    const refunded = this.refunded(orderNumber);
    const left = roundToCents(order.total - refunded);
    if (amount > left) {
      throw new Error(`Order ${orderNumber} has only ${priceText(left, this.#currency)} left to refund.`);
    }
    this.#refunds.set(orderNumber, roundToCents(refunded + amount));
    return amount === left ? this.#save({ ...order, status: 'refunded' }) : order;
  }

  /** What was paid back for an order since the server started. */
  refunded(orderNumber: number): number {
    return this.#refunds.get(orderNumber) ?? 0;
  }

  #save(order: Order): Order {
    this.#orders.set(order.orderNumber, order);
    return order;
  }
}

function isInHouse(order: Order): boolean {
  return order.status === 'open' || order.status === 'packed';
}

/** Sums of decimal amounts drift: 0.1 + 0.2 is not 0.3. */
function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
