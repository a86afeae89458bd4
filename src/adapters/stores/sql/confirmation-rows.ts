import type { Selectable } from 'kysely';
import type { JournalEntry, JournalRow } from '../../../core/ports/confirmation-journal.ts';
import type { ConfirmationTable } from './tables.ts';

/** The row of a new question. `replica` holds it. */
export function toRow(entry: JournalEntry, replica: string | null): ConfirmationTable {
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
    path: entry.path ?? '',
    answered_who: null,
    replica,
  };
}

/** The row as the core knows it. */
export function fromRow(row: Selectable<ConfirmationTable>): JournalRow {
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
    path: row.path,
    answeredWho: row.answered_who,
    answeredAt: row.answered_at,
    executingAt: row.executing_at,
    doneAt: row.done_at,
  };
}
