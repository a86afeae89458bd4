import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryDeliveryStore } from '../../../src/adapters/stores/in-memory/in-memory-delivery-store.ts';
import { WebhookDeliveries, type WebhookDeliveriesOptions } from '../../../src/adapters/webhooks/webhook-deliveries.ts';
import { WebhookSender } from '../../../src/adapters/webhooks/webhook-sender.ts';
import { callbackSecret, json, startCallback } from '../../support/callback-receiver.ts';
import { recordingLogger } from '../../support/quiet.ts';

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
    await vi.waitFor(() => expect(hook.posts()).toHaveLength(1));
  });

  // proves wire-4-82
  it('are left to the other replicas by one whose settings do not allow their address, or whose keys do not open them', async () => {
    const hook = await startCallback({});
    hook.answer = json({});
    const store = new StoreOfReplicas();
    const content = JSON.stringify({ url: hook.url, endedAt: 0, data: {} });
    store.add('turn', { owner: 'id:ann', host: 'host', dueAt: 0, content });
    const clock = { time: 0, now: () => clock.time };
    const log = recordingLogger();
    const replica = (options: Partial<WebhookDeliveriesOptions>): WebhookDeliveries => {
      const sender = new WebhookSender(callbackSecret);
      const sealer = { open: (text: string) => text };
      const deliveries = new WebhookDeliveries({
        ...{ store, sealer, sender, fault: () => undefined, clock, log },
        ...options,
      });
      onTestFinished(() => deliveries.close());
      return deliveries;
    };
    const withOldHosts = replica({ fault: () => 'is on a host that server.webhooks.hosts does not name' });
    withOldHosts.wake();
    await vi.waitFor(() => expect(log.lines).toHaveLength(1));
    await withOldHosts.close();
    const withOldKeys = replica({ sealer: { open: () => expect.fail('unknown key') } });
    clock.time += 60_000;
    withOldKeys.wake();
    await vi.waitFor(() => expect(log.lines).toHaveLength(2));
    await withOldKeys.close();
    expect(log.lines.map(({ message }) => message)).toEqual([leftToOthers, leftToOthers]);
    expect(hook.posts()).toHaveLength(0);
    clock.time += 60_000;
    replica({}).wake();
    await vi.waitFor(() => expect(hook.posts()).toHaveLength(1));
  });

  // proves wire-4-82
  it('are given up in the end when no replica may tell their address', async () => {
    const store = new StoreOfReplicas();
    const content = JSON.stringify({ url: 'https://gone.example/', endedAt: 0, data: {} });
    store.add('turn', { owner: 'id:ann', host: 'gone.example', dueAt: 0, content });
    const clock = { time: 0, now: () => clock.time };
    const log = recordingLogger();
    const deliveries = new WebhookDeliveries({
      store,
      sealer: { open: (text) => text },
      sender: new WebhookSender(callbackSecret),
      fault: () => 'is on a host that server.webhooks.hosts does not name',
      clock,
      log,
    });
    onTestFinished(() => deliveries.close());
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      clock.time += 9 * 60 * 60 * 1_000;
      deliveries.wake();
      await vi.waitFor(() => expect(log.lines).toHaveLength(attempt));
    }
    expect(log.lines.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 9 }, () => leftToOthers),
      'a webhook was not told how its turn has ended: given up',
    ]);
    await vi.waitFor(async () => expect(await store.next(-1)).toBeUndefined());
  });

  // proves wire-4-82
  it('are given up at once by a server that is the only one', async () => {
    const store = new InMemoryDeliveryStore();
    const content = JSON.stringify({ url: 'https://gone.example/', endedAt: 0, data: {} });
    store.add('turn', { owner: 'id:ann', host: 'gone.example', dueAt: 0, content });
    const deliveries = new WebhookDeliveries({
      store,
      sealer: { open: (text) => text },
      sender: new WebhookSender(callbackSecret),
      fault: () => 'is on a host that server.webhooks.hosts does not name',
      clock: { now: () => 0 },
      log: recordingLogger(),
    });
    onTestFinished(() => deliveries.close());
    deliveries.wake();
    await vi.waitFor(async () => expect(await store.next(-1)).toBeUndefined());
  });
});

const leftToOthers = 'this replica may not tell a webhook how its turn has ended: left to the others';

/** A store that several replicas use, each of which may have every delivery. */
class StoreOfReplicas extends InMemoryDeliveryStore {
  readonly shared = { claim: () => Promise.resolve(true) };
}
