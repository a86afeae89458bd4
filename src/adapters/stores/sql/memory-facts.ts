import type { Fact } from '../../../core/ports/memory-store.ts';
import type { MemoryFactTable } from './tables.ts';

/** The vector of a fact goes with its text. */
export const noVector = { vector_model: null, vector: null } as const;

/** The fact of a row. */
export function factOf(row: Omit<MemoryFactTable, 'user_key' | 'superseded_by' | keyof typeof noVector>): Fact {
  const { id, kind, text, hash, at } = row;
  return { id, kind, text, hash, at, turnId: row.turn_id, conversationId: row.conversation_id };
}

/** The row of a fact. */
export function rowOf(userKey: string, { turnId, conversationId, ...fact }: Fact): MemoryFactTable {
  return {
    ...fact,
    user_key: userKey,
    turn_id: turnId,
    conversation_id: conversationId,
    superseded_by: null,
    ...noVector,
  };
}
