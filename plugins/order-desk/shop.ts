import { OncePerCall } from './once-per-call.ts';
import type { Order, ShownOrder } from './order.ts';
import { Orders } from './orders.ts';
import { priceText } from './price.ts';

/** The part that all actions of this plugin share. A real one would hold a database connection or a client of your system. */
export class Shop {
  currency = 'EUR';
  orders = new Orders(this.currency);
  oncePerCall = new OncePerCall();

  /** Begins with fresh orders, whenever a server starts. */
  open(currency: string): void {
    this.currency = currency;
    this.oncePerCall = new OncePerCall();
    this.startOver();
  }

  /** Restores all orders to their state at the start. A repeated call is still not run again. */
  startOver(): void {
    this.orders = new Orders(this.currency);
  }

  /** An order as the model, the cards and the demo page show it. */
  shown(order: Order): ShownOrder {
    return { ...order, total: priceText(order.total, this.currency) };
  }

  /** The order with the amount that was paid back. */
  shownWithRefund(order: Order): ShownOrder & { readonly refunded: string } {
    return { ...this.shown(order), refunded: priceText(this.orders.refunded(order.orderNumber), this.currency) };
  }
}
