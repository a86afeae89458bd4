import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryDeliveryStore } from '../../../../src/adapters/stores/in-memory/in-memory-delivery-store.ts';
import { WebhookDeliveries } from '../../../../src/adapters/webhooks/webhook-deliveries.ts';
import { WebhookSender } from '../../../../src/adapters/webhooks/webhook-sender.ts';
import { callbackSecret, json, startCallback } from '../../../support/callback-receiver.ts';
import { recordingLogger } from '../../../support/quiet.ts';

describe('deliveries to webhooks (contract/sse.md#detached-turns)', () => {
  it('are made when they are due, also when they become due while the store is asked', async () => {
    const hook = await startCallback({});
    hook.answer = json({});
    const store = new InMemoryDeliveryStore();
    const content = JSON.stringify({ url: hook.url, endedAt: 0, data: {} });
    store.add('turn', { owner: 'id:ann', host: 'host', dueAt: 1_001, content });
    let now = 998;
    const deliveries = new WebhookDeliveries({
      store,
      sealer: { open: (text) => text },
      sender: new WebhookSender(callbackSecret),
      fault: () => undefined,
      // Each look at the clock is 2 ms after the one before.
      clock: { now: () => (now += 2) },
      log: recordingLogger(),
    });
    onTestFinished(() => deliveries.close());
    deliveries.wake();
    await vi.waitFor(() => expect(hook.posts()).toHaveLength(1), 5_000);
  });
});
