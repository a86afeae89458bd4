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
  /** Of the facts that are neither identity nor preference, only those that have to do with the message (`memoryRelevanceFiltering`). */
  readonly isFiltering: boolean;
  /** Finds out which facts those are. */
  readonly ranking: FactRanking;
  /** Looks for facts in what users say; left out, nobody does (`memoryAutoCapture`). */
  readonly capture?: FactCapture | undefined;
}

/** Whether the key of a caller is one connection's alone: nobody has it afterwards. */
export function isOfConnection(userKey: string): boolean {
  return userKey.startsWith('anon:') && userKey !== 'anon:';
}

/** Whether a caller can ever come back to what is remembered. */
export function canComeBack({ userKey }: Principal, { keepsCaller }: ChannelTraits): boolean {
  return keepsCaller || !isOfConnection(userKey);
}
