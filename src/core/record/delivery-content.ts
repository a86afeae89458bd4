import type { RecordSealer } from '../ports/record-sealer.ts';
import type { PendingDelivery } from '../ports/delivery-store.ts';

/** A delivery before it is sealed. */
export interface DeliveryContent {
  readonly url: string;
  /** When the turn has ended, in epoch milliseconds. */
  readonly endedAt: number;
  /** What is told of the end. */
  readonly data: object;
}

/** The name that the delivery of a turn is sealed with. A text that is sealed under one name cannot be opened under another. */
export function deliveryName(turnId: string): string {
  return `delivery/${turnId}`;
}

/** @throws Error when the key of the delivery is gone, or when what is stored was changed. */
export function openDelivery(
  { turnId, content }: Pick<PendingDelivery, 'turnId' | 'content'>,
  sealer: Pick<RecordSealer, 'open'>,
): DeliveryContent {
  return JSON.parse(sealer.open(content, deliveryName(turnId))) as DeliveryContent; // sealed by this server
}
