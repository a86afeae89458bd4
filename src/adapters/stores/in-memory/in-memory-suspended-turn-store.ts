import type { KeptTurnState, SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';

/** Suspended turns for `storage.type: memory`: nothing outlives the process. */
export class InMemorySuspendedTurnStore implements SuspendedTurnStore {
  readonly #turns = new Map<string, KeptTurnState>();

  save(turn: KeptTurnState): Promise<void> {
    this.#turns.set(turn.turnId, turn);
    return Promise.resolve();
  }

  delete(turnId: string): Promise<void> {
    this.#turns.delete(turnId);
    return Promise.resolve();
  }

  all(): Promise<readonly KeptTurnState[]> {
    return Promise.resolve([...this.#turns.values()]);
  }
}
