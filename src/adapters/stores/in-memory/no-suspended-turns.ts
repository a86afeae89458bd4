import type { SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';

/** An empty store for `storage.type: memory`: memory holds nothing that version 1.0 stored. */
export const noSuspendedTurns: SuspendedTurnStore = {
  delete: () => Promise.resolve(),
  all: () => Promise.resolve([]),
};
