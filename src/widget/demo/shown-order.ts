/** The order number in an address such as `/?order=1002`; null when there is none. */
export function shownOrder(address: string): string | null {
  return new URL(address).searchParams.get('order');
}
