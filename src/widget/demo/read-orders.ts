/** An order as the sample plugin has it. */
export interface Order {
  readonly orderNumber: number;
  readonly customer: string;
  readonly item: string;
  readonly status: string;
  readonly total: number;
  readonly address: string;
  readonly placedOn: string;
}

/** The plugin's orders; null when there are none to be had, because the plugin is not loaded or the server is away. */
export async function readOrders(address: string): Promise<readonly Order[] | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    if (!response.ok) return null;
    const body: unknown = await response.json();
    const orders: unknown = typeof body === 'object' && body !== null && 'orders' in body ? body.orders : null;
    return Array.isArray(orders) ? orders.filter(isOrder) : null;
  } catch {
    return null;
  }
}

function isOrder(value: unknown): value is Order {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string, type: string): boolean => typeof Reflect.get(value, name) === type;
  const texts = ['customer', 'item', 'status', 'address', 'placedOn'];
  return has('orderNumber', 'number') && has('total', 'number') && texts.every((name) => has(name, 'string'));
}
