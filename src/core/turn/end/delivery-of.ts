import type { TurnDelivery } from '../../ports/delivery-store.ts';
import type { DeliveryContent } from '../../record/delivery-content.ts';
import type { LiveTurn } from '../live/live-turn.ts';

/** What the webhook of a turn is told of its end (contract/sse.md#detached-turns). Undefined: nobody is told. `endedAt`: epoch
 * milliseconds. */
export function deliveryOf(
  { id, request, principal }: LiveTurn,
  end: object,
  endedAt: number,
): TurnDelivery | undefined {
  const { webhook: url } = request.detached ?? {};
  if (url === undefined) return undefined;
  const content: DeliveryContent = { url, endedAt, data: { turnId: id, ...end } };
  return { owner: principal.userKey, host: new URL(url).host, content: JSON.stringify(content) };
}
