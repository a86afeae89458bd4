import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryConversationStore } from '../../../src/adapters/stores/in-memory/in-memory-conversation-store.ts';
import { InMemoryErasureStore } from '../../../src/adapters/stores/in-memory/in-memory-erasure-store.ts';
import { purgeConversations } from '../../../src/app/conversations/purge-conversations.ts';
import { DailyPurge } from '../../../src/app/daily-purge.ts';
import { loadSettings } from '../../../src/config/load-settings.ts';
import { shippedConfiguration } from '../../support/process-environment.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';

const dayMs = 86_400_000;
const bounds = { conversationsPerUser: 9, messagesPerConversation: 9, lengthPerConversation: 9 };

describe('old conversations (contract/operations.md#retention)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  // proves configuration-7-40
  it('are deleted at the start and once a day, after retention.conversations, and counted', async () => {
    const environment = { HELPER__RETENTION__CONVERSATIONS: '10d', HELPER__DATAPROTECTION__MAXAGE: '2d' };
    const { settings } = loadSettings({ file: shippedConfiguration, environment });
    const stores = { conversations: new InMemoryConversationStore(), erasures: new InMemoryErasureStore() };
    const metrics = recordingMetrics();
    const now = 100 * dayMs;
    vi.setSystemTime(now);
    for (const [id, age] of [
      ['old', 11],
      ['newer', 9],
      ['new', 0],
    ] as const) {
      const at = now - age * dayMs;
      const conversation = { id, title: '', startedAt: at, lastAt: at };
      await stores.conversations.add(
        { conversation, owner: 'id:ann', turn: { turnId: 't', text: '', messages: 1 } },
        bounds,
      );
    }
    await stores.erasures.mark('long ago', now - 3 * dayMs);
    const clock = { now: Date.now, elapsed: () => performance.now() };
    const purge = () => purgeConversations(stores, settings, clock);
    const purging = new DailyPurge('conversations', purge, { log: recordingLogger(), metrics });
    await purging.now();
    const left = async () => (await stores.conversations.page('id:ann', undefined, 9)).map(({ id }) => id);
    expect(await left()).toEqual(['new', 'newer']);
    expect(await stores.erasures.erasedAt(['long ago'])).toBeUndefined();
    expect(metrics.counted).toMatchObject([{ what: 'purged', value: ['conversations', 1] }]);
    await vi.advanceTimersByTimeAsync(2 * dayMs);
    expect(await left()).toEqual(['new']);
    // The id is remembered as long as a snapshot could bring the conversation back.
    expect(await stores.conversations.isDeleted('old')).toBe(true);
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(await stores.conversations.isDeleted('old')).toBe(false);
    await purging.close();
    await vi.advanceTimersByTimeAsync(30 * dayMs);
    expect(await left()).toEqual(['new']);
  });
});
