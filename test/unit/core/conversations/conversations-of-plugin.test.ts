import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHistoryProvider } from '../../../../src/adapters/plugin-directory/read/read-history-provider.ts';
import { InMemoryConversationStore } from '../../../../src/adapters/stores/in-memory/in-memory-conversation-store.ts';
import { ConversationsOfPlugin } from '../../../../src/core/conversations/conversations-of-plugin.ts';
import type { ConversationAddition } from '../../../../src/core/ports/conversation-store.ts';
import { keptInMap } from '../../../support/kept-in-map.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const bounds = { conversationsPerUser: 9, messagesPerConversation: 9, lengthPerConversation: 999 };
const addition: ConversationAddition = {
  conversation: { id: 'c', title: 't', startedAt: 1, lastAt: 1 },
  owner: 'id:ann',
  turn: { turnId: 't', text: 'sealed', messages: 1 },
};

/** Conversations of a plugin whose provider has the members of `more`. The provider is read like that of any plugin. */
function kept(more: object) {
  const keeper = readHistoryProvider({ chatHistoryProvider: { ...keptInMap(), ...more } }, 'odd', () => undefined);
  if (keeper === undefined) throw new Error('the provider was not read');
  const log = recordingLogger();
  return { log, store: new ConversationsOfPlugin({ keeper, deleted: new InMemoryConversationStore(), log }) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a chatHistoryProvider that does not answer (contract/sessions.md#conversations-in-a-store-of-your-own)', () => {
  // proves service-2.9-93
  it.each<[string, (store: ConversationsOfPlugin) => Promise<unknown>]>([
    ['list', (store) => store.page('id:ann', undefined, 1)],
    ['read', (store) => store.read('id:ann', 'c')],
    ['save', (store) => store.add(addition, bounds)],
    ['remove', (store) => store.erase('id:ann', [], 2)],
  ])('is a store that fails after 3 s in %s, and says so once', async (name, ask) => {
    // Fake timers do not affect `AbortSignal.timeout`. The test therefore replaces it and ends its time itself.
    const limits: { readonly ms: number; readonly limit: AbortController }[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      limits.push({ ms, limit });
      return limit.signal;
    });
    const signals: AbortSignal[] = [];
    const never = (...given: readonly unknown[]): Promise<never> => {
      signals.push((given.at(-1) as { readonly signal: AbortSignal }).signal); // the last parameter of each function
      return new Promise(() => undefined);
    };
    const { log, store } = kept({ [name]: never });
    for (const attempt of [1, 2]) {
      const asked = ask(store);
      await vi.waitFor(() => expect(signals).toHaveLength(attempt));
      expect(limits.at(-1)?.ms).toBe(3_000);
      limits.at(-1)?.limit.abort(new Error('too late'));
      await expect(asked).rejects.toThrow('too late');
      expect(signals.at(-1)?.aborted).toBe(true);
    }
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { plugin: 'odd', function: name } }]);
  });

  it('is asked for again where its factory has not made one in 3 s', async () => {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    const made = vi
      .fn()
      .mockReturnValueOnce(new Promise(() => undefined))
      .mockReturnValue(keptInMap());
    const keeper = readHistoryProvider({ chatHistoryProviderFactory: made }, 'odd', () => undefined);
    const first = keeper?.list('id:ann', new AbortController().signal);
    limits[0]?.abort(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    expect(await keeper?.list('id:ann', new AbortController().signal)).toEqual([]);
    expect(made).toHaveBeenCalledTimes(2);
  });

  it('does not hold up what another user changes', async () => {
    const map = keptInMap();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { store } = kept({
      ...map,
      save: async (...given: Parameters<typeof map.save>) => {
        if (given[0] === 'id:ann') await promise;
        await map.save(...given);
      },
    });
    const first = store.add(addition, bounds);
    await store.add({ ...addition, owner: 'id:bob' }, bounds);
    expect(map.kept.has('id:ann')).toBe(false);
    resolve(undefined);
    await first;
    expect(map.kept.has('id:ann')).toBe(true);
  });
});

describe('two changes of one conversation at the same moment (contract/sessions.md#conversations-in-a-store-of-your-own)', () => {
  const turnOf = (turnId: string): ConversationAddition => ({ ...addition, turn: { ...addition.turn, turnId } });
  const turnsIn = async (store: ConversationsOfPlugin): Promise<readonly (string | undefined)[]> =>
    (await store.read('id:ann', 'c'))?.turns.map(({ turnId }) => turnId) ?? [];

  // proves wire-26-06
  it('both stand where one process makes them', async () => {
    const { store } = kept({});
    await store.add(turnOf('first'), bounds);
    await Promise.all([store.add(turnOf('second'), bounds), store.add(turnOf('third'), bounds)]);
    expect(await turnsIn(store)).toEqual(['first', 'second', 'third']);
  });

  // proves wire-26-06
  it('the last save stands as a whole where two processes make them', async () => {
    const map = keptInMap();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const slow = kept({
      ...map,
      save: async (...given: Parameters<typeof map.save>) => {
        await promise;
        await map.save(...given);
      },
    });
    const quick = kept(map);
    await quick.store.add(turnOf('first'), bounds);
    const read = vi.spyOn(map.kept, 'get');
    const late = slow.store.add(turnOf('second'), bounds);
    await vi.waitFor(() => expect(read).toHaveBeenCalled());
    await quick.store.add(turnOf('third'), bounds);
    expect(await turnsIn(quick.store)).toEqual(['first', 'third']);
    resolve(undefined);
    await late;
    expect(await turnsIn(quick.store)).toEqual(['first', 'second']);
  });
});

describe('what a chatHistoryProvider gives (contract/sessions.md#conversations-in-a-store-of-your-own)', () => {
  it('is listed as far as it is a conversation', async () => {
    const good = { id: 'c', title: 't', startedAt: 1, lastAt: 2 };
    const { store } = kept({
      list: () => [null, 5, { ...good, id: '' }, { ...good, title: 7 }, { ...good, lastAt: Number.NaN }, good],
    });
    expect(await store.page('id:ann', undefined, 9)).toEqual([good]);
  });

  it.each([
    ['another conversation', { id: 'd', title: 't', startedAt: 1, lastAt: 2, content: '{}' }],
    ['one without content', { id: 'c', title: 't', startedAt: 1, lastAt: 2 }],
    ['content that is no JSON', { id: 'c', title: 't', startedAt: 1, lastAt: 2, content: 'x' }],
    ['content of another version', { id: 'c', title: 't', startedAt: 1, lastAt: 2, content: '{"version":2}' }],
    ['null as content', { id: 'c', title: 't', startedAt: 1, lastAt: 2, content: 'null' }],
  ])('fails where it is %s', async (_what, given) => {
    const { store } = kept({ read: () => given });
    await expect(store.read('id:ann', 'c')).rejects.toThrow();
  });
});
