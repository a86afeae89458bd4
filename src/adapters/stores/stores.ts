import type { BudgetStore } from '../../core/ports/budget-store.ts';
import type { ConfirmationJournal } from '../../core/ports/confirmation-journal.ts';
import type { DeliveryStore } from '../../core/ports/delivery-store.ts';
import type { FactVectorStore } from '../../core/ports/fact-vector-store.ts';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import type { ConversationStore } from '../../core/ports/conversation-store.ts';
import type { ErasureStore } from '../../core/ports/erasure-store.ts';
import type { MetricsStore } from '../../core/ports/metrics-store.ts';
import type { PassageVectorStore } from '../../core/ports/passage-vector-store.ts';
import type { SuspendedTurnStore } from '../../core/ports/suspended-turn-store.ts';
import type { TaskStore } from '../../core/ports/task-store.ts';
import type { TurnStore } from '../../core/ports/turn-store.ts';

/** All stores of the server. Closing the journal closes the database behind all of them. */
export interface Stores {
  readonly journal: ConfirmationJournal;
  /** The turns that version 1.0 stored. */
  readonly suspendedTurns: SuspendedTurnStore;
  readonly turns: TurnStore;
  readonly deliveries: DeliveryStore;
  readonly metrics: MetricsStore;
  readonly memory: MemoryStore;
  /** The vectors of the facts in `memory`. Left out: nothing outlives the process, and neither do vectors. */
  readonly factVectors?: FactVectorStore;
  /** The vectors of documents. Left out: they stay in the indexes of documents, which last as long as these stores do. */
  readonly passageVectors?: PassageVectorStore;
  readonly conversations: ConversationStore;
  readonly erasures: ErasureStore;
  readonly budgets: BudgetStore;
  readonly tasks: TaskStore;
  /**
   * Whether a question can be stored now. The disk itself is tried, but an answer counts for a short time, so that several probes share one
   * attempt (contract/operations.md#probes). Never rejects.
   */
  isWritable(): Promise<boolean>;
}
