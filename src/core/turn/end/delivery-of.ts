import type { TurnDelivery } from '../../ports/delivery-store.ts';
import type { DeliveryContent } from '../../record/delivery-content.ts';
import type { LiveTurn } from '../live/live-turn.ts';

/**
 * What the webhook of a turn is told of its end (contract/sse.md#detached-turns). Undefined: nobody is told. `endedAt`: epoch milliseconds.
 */
export function deliveryOf(
  { id, request, principal, stopReason }: LiveTurn,
  end: object,
  endedAt: number,
): TurnDelivery | undefined {
  const { webhook: url } = request.detached ?? {};
  // The caller of a turn that could not be stored was told that there is none, and asks again.
  if (url === undefined || stopReason === 'connection-closed') return undefined;
  const content: DeliveryContent = { url, endedAt, data: { turnId: id, ...end } };
  return { owner: principal.userKey, host: new URL(url).host, dueAt: endedAt, content: JSON.stringify(content) };
}
