import type { ChatHistoryProvider, KeptConversation } from '../../src/plugin-api/history.ts';

/** A plugin's provider that keeps conversations in a map, by user and id. `kept` is this map. */
export function keptInMap(): ChatHistoryProvider & { readonly kept: Map<string, Map<string, KeptConversation>> } {
  const kept = new Map<string, Map<string, KeptConversation>>();
  return {
    kept,
    list: (user) => [...(kept.get(user)?.values() ?? [])],
    read: (user, id) => kept.get(user)?.get(id),
    save(user, conversation) {
      const own = kept.get(user) ?? new Map<string, KeptConversation>();
      kept.set(user, own.set(conversation.id, conversation));
    },
    remove(user, id) {
      if (id === null) kept.delete(user);
      else kept.get(user)?.delete(id);
    },
  };
}
