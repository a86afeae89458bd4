/** Every state an order can be in. Only open and packed ones are still in the house. */
export const orderStatuses = ['open', 'packed', 'shipped', 'delivered', 'cancelled', 'refunded'] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** An order as the shop keeps it. */
export interface Order {
  readonly orderNumber: number;
  readonly customer: string;
  readonly item: string;
  readonly status: OrderStatus;
  /** In the currency of the shop. */
  readonly total: number;
  readonly address: string;
  /** A day such as 2026-11-02. */
  readonly placedOn: string;
}

/** An order as people read it: the amount is a text such as "€12.50". */
export interface ShownOrder extends Omit<Order, 'total'> {
  readonly total: string;
}
