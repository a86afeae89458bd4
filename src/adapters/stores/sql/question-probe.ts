import { randomId } from '../../../core/base/random-id.ts';
import { toRow } from './confirmation-rows.ts';
import type { ProbedDatabase } from './probed-database.ts';
import { statement } from './sql-database.ts';

/** Stores a turn that asks, with its question, and deletes them again, in one transaction. Rejects when a question cannot be stored now. */
export async function probeQuestion(database: Pick<ProbedDatabase, 'change' | 'probe' | 'queries'>): Promise<void> {
  await database.probe();
  const { queries } = database;
  const id = `probe ${randomId()}`;
  const nobodys = { conversationId: '', action: '', argumentsHash: '', arguments: '{}', agent: '', owner: null };
  const question = toRow({ ...nobodys, actionId: id, callId: id, turnId: id, requestedAt: 0 }, null);
  const turn = { turn_id: id, epoch: 1, header: '', lines: 1, saved_at: 0, forget_at: 0, owner: null, replica: null };
  const line = { turn_id: id, first_line: 0, line_count: 1, text: '' };
  const written = [
    queries.insertInto('turn').values(turn),
    queries.insertInto('turn_line').values(line),
    queries.insertInto('confirmation').values(question),
    queries.deleteFrom('confirmation').where('action_id', '=', id),
    queries.deleteFrom('turn_line').where('turn_id', '=', id),
    queries.deleteFrom('turn').where('turn_id', '=', id),
  ];
  await database.change(
    written.map((query) => statement(query, 1)),
    { refusal: 'a question cannot be stored', order: id },
  );
}
