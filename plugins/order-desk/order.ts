/** Every state an order can be in. Only open and packed ones are still in the house. */
export const orderStatuses = ['open', 'packed', 'shipped', 'delivered', 'cancelled', 'refunded'] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** An order as the assistant and the demo page see it. */
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
