import { OncePerCall } from './once-per-call.ts';
import { Orders } from './orders.ts';

/** What all actions of this plugin share. A real one would hold a database connection or a client of your system. */
export class Shop {
  orders = new Orders();
  oncePerCall = new OncePerCall();
  currency = 'EUR';

  /** Begins with fresh orders, whenever a server starts. */
  open(currency: string): void {
    this.orders = new Orders();
    this.oncePerCall = new OncePerCall();
    this.currency = currency;
  }
}

/** An amount as people write it: 12.5 is "€12.50". */
export function priceText(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}
