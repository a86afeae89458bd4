import type { SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';

/** For `storage.type: memory`, which holds nothing that version 1.0 stored. */
export const noSuspendedTurns: SuspendedTurnStore = {
  delete: () => Promise.resolve(),
  all: () => Promise.resolve([]),
};
