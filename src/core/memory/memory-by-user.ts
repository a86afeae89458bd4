import type { MemoryStore } from '../ports/memory-store.ts';
import { isOfConnection } from './memory.ts';

/**
 * Keeps the memory of anonymous connections apart from the memory of users (contract/memory.md#storage). No caller has the key of a
 * connection once that connection is over, so `ofConnections` need not outlive this process.
 */
export function memoryByUser(ofUsers: MemoryStore, ofConnections: MemoryStore): MemoryStore {
  const storeOf = (userKey: string): MemoryStore => (isOfConnection(userKey) ? ofConnections : ofUsers);
  const { captures } = ofUsers;
  return {
    // No other replica has what is kept of connections of this one.
    captures: captures && { claim: (turnId) => captures.claim(turnId) },
    facts: (userKey) => storeOf(userKey).facts(userKey),
    change: (userKey, change, turnId) => storeOf(userKey).change(userKey, change, turnId),
    correct: (userKey, fact, at) => storeOf(userKey).correct(userKey, fact, at),
    erase: (userKey, id, at) => storeOf(userKey).erase(userKey, id, at),
    forget: (userKey) => storeOf(userKey).forget(userKey),
    pend: (capture) => storeOf(capture.userKey).pend(capture),
    isPending: async (turnId) => (await ofConnections.isPending(turnId)) || (await ofUsers.isPending(turnId)),
    pending: async () => [...(await ofUsers.pending()), ...(await ofConnections.pending())],
    drop: async (turnId) => {
      await ofConnections.drop(turnId);
      await ofUsers.drop(turnId);
    },
    purge: async (before) => (await ofUsers.purge(before)) + (await ofConnections.purge(before)),
  };
}
