import { WebhookDeliveries } from '../../adapters/webhooks/webhook-deliveries.ts';
import { WebhookSender } from '../../adapters/webhooks/webhook-sender.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RecordSealer } from '../../core/ports/record-sealer.ts';
import type { Resource } from '../open-resources.ts';
import { webhookFault } from './webhook-fault.ts';

/** What tells webhooks of the ends of turns. */
export interface OpenedWebhooks {
  readonly resources: readonly Resource[];
  /** Must be called when the end of a turn was stored that a webhook is told. It may be called at any time. */
  readonly onDelivery: () => void;
}

/** Begins to make the deliveries that an earlier process has left. Those that may not be made any more are given up. */
export function openWebhooks(
  { server: { webhooks } }: HelperSettings,
  {
    stores,
    ...services
  }: {
    readonly stores: Pick<Stores, 'deliveries'>;
    readonly sealer: RecordSealer;
    readonly clock: Clock;
    readonly log: Logger;
  },
): OpenedWebhooks {
  // Deliveries hold what users were told, so they must not stay in the store for ever once webhooks are switched off.
  const { hosts, secret } = webhooks;
  const fault = (url: string): string | undefined => webhookFault(url, hosts);
  const sender = new WebhookSender(secret ?? []);
  const deliveries = new WebhookDeliveries({ ...services, store: stores.deliveries, sender, fault });
  deliveries.wake();
  return {
    resources: [{ name: 'webhooks', close: () => deliveries.close() }],
    onDelivery: () => {
      deliveries.wake();
    },
  };
}
