import { anonymousKey } from '../identity/user-key.ts';
import type { Principal } from '../identity/principal.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { ChannelTraits } from '../request/turn-request.ts';
import type { FactCapture } from './fact-capture.ts';
import type { FactRanking } from './fact-ranking.ts';

/** What turns do with the memory of their users (contract/memory.md). */
export interface Memory {
  readonly store: MemoryStore;
  /** Most facts that a message is answered with (`memoryContextCount`). */
  readonly count: number;
  /**
   * When true, facts that are neither identity nor preference are used only where they are related to the message
   * (`memoryRelevanceFiltering`).
   */
  readonly isFiltering: boolean;
  /** Finds the facts that are related to the message. */
  readonly ranking: FactRanking;
  /** Looks for facts in what users say. Left out, no facts are looked for (`memoryAutoCapture`). */
  readonly capture?: FactCapture | undefined;
}

/** Whether the key of a caller belongs to one connection alone. No later caller has such a key. */
export function isOfConnection(userKey: string): boolean {
  return userKey.startsWith(anonymousKey) && userKey !== anonymousKey;
}

/** Whether a caller can ever come back to what is remembered. */
export function canComeBack({ userKey }: Principal, { keepsCaller }: ChannelTraits): boolean {
  return keepsCaller || !isOfConnection(userKey);
}
