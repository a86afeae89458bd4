import type { Receipt } from './turn-event.ts';

/** A receipt as clients are told of it. `at`: epoch milliseconds. */
export function receiptOf(receipt: Omit<Receipt, 'at'> & { readonly at: number }): Receipt {
  return { ...receipt, at: new Date(receipt.at).toISOString() };
}
