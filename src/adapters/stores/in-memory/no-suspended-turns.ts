import type { SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';

/** For `storage.type: memory`, where nothing is left of version 1.0. */
export const noSuspendedTurns: SuspendedTurnStore = {
  delete: () => Promise.resolve(),
  all: () => Promise.resolve([]),
};
