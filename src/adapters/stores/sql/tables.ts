import type { ActionStatus, ConfirmationDecider, ConfirmationOutcome } from '../../../core/events/turn-event.ts';
import type { JournalState } from '../../../core/ports/confirmation-journal.ts';

/** One row of `confirmation`. Times are epoch milliseconds; arguments are JSON text. */
export interface ConfirmationTable {
  action_id: string;
  call_id: string;
  turn_id: string;
  conversation_id: string;
  action: string;
  arguments_hash: string;
  arguments: string;
  agent: string;
  owner: string | null;
  state: JournalState;
  answer: ConfirmationOutcome | null;
  answered_by: ConfirmationDecider | null;
  edited_arguments: string | null;
  edited_arguments_hash: string | null;
  outcome: ActionStatus | null;
  requested_at: number;
  answered_at: number | null;
  executing_at: number | null;
  done_at: number | null;
  /** JSON text of the core. */
  call: string | null;
  retries: number;
  path: string;
  answered_who: string | null;
}

/** One row of `suspended_turn`: `state` is JSON text of the core. */
export interface SuspendedTurnTable {
  turn_id: string;
  state: string;
  saved_at: number;
}

/** One row of `turn`: the record of a turn as far as `lines`. Times are epoch milliseconds. */
export interface TurnTable {
  turn_id: string;
  epoch: number;
  /** Text of the core. */
  header: string;
  /** How many lines its rows of `turn_line` hold together. */
  lines: number;
  saved_at: number;
  forget_at: number | null;
}

/** One row of `turn_line`: lines that were stored together, as text of the core. */
export interface TurnLineTable {
  turn_id: string;
  first_line: number;
  line_count: number;
  text: string;
}

/** One row of `metric_hour`: what was counted in the hour that begins at `hour` (epoch milliseconds), as text of the dashboard. */
export interface MetricHourTable {
  hour: number;
  figures: string;
}

/** One row for each migration that has run. */
export interface SchemaMigrationTable {
  version: number;
  applied_at: number;
}

/**
 * The tables of the store (contract/restarts.md). Text ids, epoch-millisecond integers and JSON as text, so that the same
 * queries run on SQLite and PostgreSQL.
 */
export interface Tables {
  confirmation: ConfirmationTable;
  metric_hour: MetricHourTable;
  schema_migration: SchemaMigrationTable;
  suspended_turn: SuspendedTurnTable;
  turn: TurnTable;
  turn_line: TurnLineTable;
}
