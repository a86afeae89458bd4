import type { ConfirmationJournal, JournalRow } from '../../src/core/ports/confirmation-journal.ts';
import type { KeptTurn } from '../../src/core/ports/turn-store.ts';
import { memoryStores } from './memory-stores.ts';

/** The stores as a process left them that had stored this turn and these rows of its calls. */
export async function storesWith({
  kept,
  rows,
}: {
  readonly kept: KeptTurn;
  readonly rows: readonly JournalRow[];
}): Promise<ReturnType<typeof memoryStores>> {
  const stores = memoryStores();
  const [first, ...more] = kept.batches;
  if (first === undefined) throw new Error('the turn holds no lines');
  await stores.turns.create({ turnId: kept.turnId, header: kept.header, lines: first }, kept.savedAt);
  for (const lines of more) await stores.turns.append(kept, lines);
  for (const row of rows) await putRow(stores.journal, row);
  return stores;
}

async function putRow(journal: ConfirmationJournal, row: JournalRow): Promise<void> {
  const { actionId, state, answer, answeredBy: by, answeredWho: who, editedArguments, call: keptCall, outcome } = row;
  await journal.requested(row);
  if (answer === null || by === null) return;
  const edited = editedArguments === null ? {} : { edited: { arguments: editedArguments, argumentsHash: '' } };
  await journal.answered(actionId, { answer, by, who, ...edited }, row.answeredAt ?? 0);
  if (row.executingAt !== null) await journal.executing(actionId, row.executingAt, keptCall ?? undefined);
  if (state === 'done' && outcome !== null) await journal.done(actionId, outcome, row.doneAt ?? 0);
}
