import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type {
  ConfirmationJournal,
  JournalAnswer,
  JournalEntry,
  JournalRow,
  JournalState,
} from '../../../core/ports/confirmation-journal.ts';
import type { ActionStatus, ConfirmationOutcome } from '../../../core/turn/turn-event.ts';
import { journalConflict, statusOfAnswer } from '../journal-steps.ts';
import type { ConfirmationTable, Tables } from './tables.ts';

/**
 * The confirmation journal in a relational database (wire.md 5). A step is one compare-and-set UPDATE, so that of two
 * attempts at the same step, in this process or another, exactly one moves the row; a unique index keeps two rows of one
 * call from being approved or declined.
 */
export class SqlConfirmationJournal implements ConfirmationJournal {
  readonly #database: Kysely<Tables>;

  /** Takes over `database`: `close` closes it. Every commit on it MUST be durable. */
  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  async requested(entry: JournalEntry): Promise<void> {
    await this.#database.insertInto('confirmation').values(toRow(entry)).execute();
  }

  async answered(actionId: string, { answer, by, edited }: JournalAnswer, at: number): Promise<void> {
    const outcome = statusOfAnswer(answer);
    const ended = outcome === null ? {} : { outcome, done_at: at };
    const state = outcome === null ? 'answered' : 'done';
    const changed =
      edited === undefined ? {} : { edited_arguments: edited.arguments, edited_arguments_hash: edited.argumentsHash };
    await this.#move(actionId, ['requested'], {
      state,
      answer,
      answered_by: by,
      answered_at: at,
      ...changed,
      ...ended,
    });
  }

  async executing(actionId: string, at: number, call?: string): Promise<void> {
    await this.#move(actionId, ['answered'], { state: 'executing', executing_at: at, call: call ?? null });
  }

  async retried(actionId: string): Promise<void> {
    const result = await this.#database
      .updateTable('confirmation')
      .set((row) => ({ retries: row('retries', '+', 1) }))
      .where('action_id', '=', actionId)
      .where('state', '=', 'executing')
      .executeTakeFirst();
    if (result.numUpdatedRows !== 1n) throw journalConflict(actionId, 'executing');
  }

  async done(actionId: string, outcome: ActionStatus, at: number): Promise<void> {
    await this.#move(actionId, ['requested', 'answered', 'executing'], {
      state: 'done',
      outcome,
      done_at: at,
      call: null,
    });
  }

  async find(actionId: string): Promise<JournalRow | undefined> {
    const row = await this.#database
      .selectFrom('confirmation')
      .selectAll()
      .where('action_id', '=', actionId)
      .executeTakeFirst();
    return row === undefined ? undefined : fromRow(row);
  }

  async decided(callId: string): Promise<JournalRow | undefined> {
    const row = await this.#database
      .selectFrom('confirmation')
      .selectAll()
      .where('call_id', '=', callId)
      // Written out: only then does SQLite see that the unique index holds just these rows.
      .where('answer', 'in', [sql.lit<ConfirmationOutcome>('approved'), sql.lit<ConfirmationOutcome>('declined')])
      .executeTakeFirst();
    return row === undefined ? undefined : fromRow(row);
  }

  async unfinished(): Promise<readonly JournalRow[]> {
    const open: readonly JournalState[] = ['requested', 'answered', 'executing'];
    const rows = await this.#database
      .selectFrom('confirmation')
      .selectAll()
      .where('state', 'in', open)
      .orderBy('requested_at')
      .orderBy('action_id')
      .execute();
    return rows.map(fromRow);
  }

  async purge(before: number): Promise<void> {
    await this.#database.deleteFrom('confirmation').where('state', '=', 'done').where('done_at', '<', before).execute();
  }

  async close(): Promise<void> {
    await this.#database.destroy();
  }

  async #move(
    actionId: string,
    from: readonly JournalState[],
    change: Updateable<ConfirmationTable> & { state: JournalState },
  ): Promise<void> {
    const result = await this.#database
      .updateTable('confirmation')
      .set(change)
      .where('action_id', '=', actionId)
      .where('state', 'in', from)
      .executeTakeFirst();
    if (result.numUpdatedRows !== 1n) throw journalConflict(actionId, change.state);
  }
}

function toRow(entry: JournalEntry): ConfirmationTable {
  return {
    action_id: entry.actionId,
    call_id: entry.callId,
    turn_id: entry.turnId,
    conversation_id: entry.conversationId,
    action: entry.action,
    arguments_hash: entry.argumentsHash,
    arguments: entry.arguments,
    agent: entry.agent,
    owner: entry.owner,
    state: 'requested',
    answer: null,
    answered_by: null,
    edited_arguments: null,
    edited_arguments_hash: null,
    outcome: null,
    requested_at: entry.requestedAt,
    answered_at: null,
    executing_at: null,
    done_at: null,
    call: null,
    retries: 0,
  };
}

function fromRow(row: Selectable<ConfirmationTable>): JournalRow {
  return {
    actionId: row.action_id,
    callId: row.call_id,
    turnId: row.turn_id,
    conversationId: row.conversation_id,
    action: row.action,
    argumentsHash: row.arguments_hash,
    arguments: row.arguments,
    agent: row.agent,
    owner: row.owner,
    requestedAt: row.requested_at,
    state: row.state,
    answer: row.answer,
    answeredBy: row.answered_by,
    editedArguments: row.edited_arguments,
    outcome: row.outcome,
    call: row.call,
    retries: row.retries,
  };
}
