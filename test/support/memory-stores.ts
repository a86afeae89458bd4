import { InMemoryConfirmationJournal } from '../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { InMemoryTurnStore } from '../../src/adapters/stores/in-memory/in-memory-turn-store.ts';
import type { TurnStore } from '../../src/core/ports/turn-store.ts';

/** The stores that outlive a process: the journal of questions, and the store of the turns to which the journal's rows belong. */
export function memoryStores(): { readonly journal: InMemoryConfirmationJournal; readonly turns: InMemoryTurnStore } {
  const turns = new InMemoryTurnStore();
  return { journal: new InMemoryConfirmationJournal(turns), turns };
}

/** The kept turns that have not ended. */
export async function unended({ turns }: { readonly turns: TurnStore }): Promise<readonly string[]> {
  const kept = await Promise.all((await turns.ids()).map((turnId) => turns.read(turnId)));
  return kept.flatMap((turn) => (turn?.forgetAt === null ? [turn.turnId] : []));
}
