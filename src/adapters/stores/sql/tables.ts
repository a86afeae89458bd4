import type { ActionStatus, ConfirmationDecider, ConfirmationOutcome } from '../../../core/events/turn-event.ts';
import type { FactKind } from '../../../core/ports/memory-store.ts';
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
  /** JSON text that only the core reads. */
  call: string | null;
  retries: number;
  path: string;
  answered_who: string | null;
  /** The replica that put the question. Null where one server at a time uses the database. */
  replica: string | null;
}

/** One row of `suspended_turn`. Only the core reads `state`, which is JSON text. */
export interface SuspendedTurnTable {
  turn_id: string;
  state: string;
  saved_at: number;
}

/** One row of `turn`: the record of a turn up to its line number `lines`. Times are epoch milliseconds. */
export interface TurnTable {
  turn_id: string;
  epoch: number;
  /** Text that only the core reads. */
  header: string;
  /** How many lines the turn's rows of `turn_line` hold together. */
  lines: number;
  saved_at: number;
  forget_at: number | null;
  /** The replica that holds the turn. Null where one server at a time uses the database, and for a turn that was released. */
  replica: string | null;
  /** A mark of the turn's user, which tells nobody who that is. Null for a turn that an older version has kept. */
  owner: string | null;
}

/** One row of `turn_line`: lines that were stored together. Only the core reads their text. */
export interface TurnLineTable {
  turn_id: string;
  first_line: number;
  line_count: number;
  text: string;
}

/**
 * One row of `metric_hour`: what one server has counted in the hour that begins at `hour` (epoch milliseconds). Only the dashboard reads the
 * text.
 */
export interface MetricHourTable {
  /** The tenant, encoded as in a user key. Empty for the figures of all callers together. */
  tenant: string;
  hour: number;
  /** The replica that has counted them. Empty where one server at a time uses the database. */
  replica: string;
  figures: string;
}

/** One row of `memory_fact`. Times are epoch milliseconds. */
export interface MemoryFactTable {
  id: string;
  /** Contains the tenant. */
  user_key: string;
  kind: FactKind;
  text: string;
  hash: string;
  turn_id: string;
  conversation_id: string;
  at: number;
  /** The id of the fact that replaced this one. Null for a fact that counts. */
  superseded_by: string | null;
  /** The model that `vector` is by. Null: no model was asked for a vector. */
  vector_model: string | null;
  /** The numbers of the fact's vector, a byte each, in base64. Null with a `vector_model`: the model has no vector for this text. */
  vector: string | null;
}

/** One row of `memory_capture`: what a user said in a turn, until it is looked through. */
export interface MemoryCaptureTable {
  turn_id: string;
  conversation_id: string;
  user_key: string;
  /** Null: the capture is settled. */
  words: string | null;
  asked_at: number;
  /** The replica that looks through them. Null where one server at a time uses the database. */
  replica: string | null;
}

/** One row of `memory_erasure`: what the user has said up to `at` yields no facts any more. */
export interface MemoryErasureTable {
  user_key: string;
  at: number;
}

/** One row of `conversation`: a kept conversation, or with `deleted_at` the id of a deleted one. Only the core reads `title`. */
export interface ConversationTable {
  conversation_id: string;
  owner: string;
  title: string;
  titled_by: '' | 'words' | 'model' | 'user';
  started_at: number;
  last_at: number;
  deleted_at: number | null;
}

/** One row of `conversation_turn`: what was said in one turn of a kept conversation. Only the core reads `text`. */
export interface ConversationTurnTable {
  conversation_id: string;
  turn_id: string;
  /** The place of the turn in its conversation. */
  number: number;
  text: string;
  /** The number of characters of `text`. */
  length: number;
  messages: number;
  /** The turn of which this turn is a copy. */
  replaces: string | null;
}

/** One row of `erasure`: when the data of a user was erased. The mark tells nobody who the user is. */
export interface ErasureTable {
  mark: string;
  erased_at: number;
}

/** One row of `budget_use`: what is spent and held of one account of budgets until its window ends (epoch milliseconds). */
export interface BudgetUseTable {
  /** Contains a mark of the user's key, so it names no user. */
  account: string;
  spent: number;
  held: number;
  ends_at: number;
}

/** One row of `budget_hold`: what one call may take at most of one account, until it is settled. */
export interface BudgetHoldTable {
  id: string;
  account: string;
  amount: number;
  /** The end of the window in which the amount is held. */
  ends_at: number;
  /** The replica that makes the call. Null where one server at a time uses the database. */
  replica: string | null;
}

/** One row of `agent_task`: a task of another agent. Only the core reads `content`. */
export interface AgentTaskTable {
  id: string;
  context_id: string;
  /** Null: the task is of everybody who has its id. */
  owner: string | null;
  turn_id: string;
  state: string;
  /** Epoch milliseconds. */
  changed_at: number;
  content: string;
  /** The replica that runs the task. Null where one server at a time uses the database. */
  replica: string | null;
}

/** One row of `turn_delivery`: what is told of the end of a turn, until it is told. Only the core reads `content`. */
export interface TurnDeliveryTable {
  turn_id: string;
  owner: string;
  host: string;
  content: string;
  /** Epoch milliseconds. */
  due_at: number;
  attempts: number;
  /** The replica that makes an attempt now. Null between two attempts, and where one server at a time uses the database. */
  replica: string | null;
}

/**
 * One row of `passage_vector`: the vector of a passage of a document by one model, or without `numbers` a text that a server makes a vector
 * for.
 */
export interface PassageVectorTable {
  source: string;
  model: string;
  /** The hash of the text, which is not stored. */
  hash: string;
  dimensions: number | null;
  /** The numbers of the vector, a byte each, in base64. */
  numbers: string | null;
  /** A bit for each number, in base64. */
  signs: string | null;
  /** Epoch milliseconds on the clock of the database. */
  used_at: number;
}

/** One row of `replica`: a server that uses the database together with others, and when it said last that it lives. */
export interface ReplicaTable {
  id: string;
  /** Epoch milliseconds on the clock of the database. */
  seen_at: number;
}

/** One row for each migration that has run. */
export interface SchemaMigrationTable {
  version: number;
  applied_at: number;
}

/**
 * The tables of the store (contract/restarts.md). Ids are text, times are integers in epoch milliseconds, and JSON is stored as text. The
 * same queries therefore run on SQLite and PostgreSQL.
 */
export interface Tables {
  agent_task: AgentTaskTable;
  budget_hold: BudgetHoldTable;
  budget_use: BudgetUseTable;
  confirmation: ConfirmationTable;
  conversation: ConversationTable;
  conversation_turn: ConversationTurnTable;
  erasure: ErasureTable;
  memory_capture: MemoryCaptureTable;
  memory_erasure: MemoryErasureTable;
  memory_fact: MemoryFactTable;
  metric_hour: MetricHourTable;
  passage_vector: PassageVectorTable;
  replica: ReplicaTable;
  schema_migration: SchemaMigrationTable;
  suspended_turn: SuspendedTurnTable;
  turn: TurnTable;
  turn_delivery: TurnDeliveryTable;
  turn_line: TurnLineTable;
}
