import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { SharedTasks, StoredTask, TaskQuery, TaskStore } from '../../../core/ports/task-store.ts';
import type { Holder } from './holder.ts';
import { type ChangeRules, erasing, readRows, rowsOf, type SqlDatabase, statement } from './sql-database.ts';
import type { AgentTaskTable, Tables } from './tables.ts';

const refusal = 'the store takes no such task';

/** The changes of all owners' tasks. */
const ofAll = { refusal, order: 'tasks' } as const;

/** How many rows one change deletes. The limit keeps other changes from waiting long. */
const deletedAtOnce = 500;

/** Tasks of other agents in a relational database (contract/a2a-server.md#tasks). */
export class SqlTaskStore implements TaskStore {
  readonly shared?: SharedTasks;
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
    if (holder !== undefined) this.shared = { claim: (id, open) => this.#claim(holder, id, open) };
  }

  async add(task: StoredTask, most: number, open: readonly string[]): Promise<void> {
    const { queries } = this.#database;
    const added = queries.insertInto('agent_task').values({ ...rowOf(task), replica: this.#holder?.replica ?? null });
    const tooMany = queries
      .selectFrom('agent_task')
      .select('id')
      .where('owner', task.owner === null ? 'is' : '=', task.owner)
      .orderBy('changed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(deletedAtOnce)
      .offset(most);
    const deleted = queries.deleteFrom('agent_task').where('id', 'in', tooMany).where('state', 'not in', open);
    await this.#database.change([statement(added, 1), statement(deleted)], ofOwner(task.owner));
  }

  async update(
    { id, state, changedAt, content }: Parameters<TaskStore['update']>[0],
    open: readonly string[],
  ): Promise<boolean> {
    const holder = this.#holder;
    const changed = this.#database.queries
      .updateTable('agent_task')
      .set({ state, changed_at: changedAt, content })
      .where('id', '=', id)
      .where('state', 'in', open)
      .$if(holder !== undefined, (query) => query.where('replica', '=', holder?.replica ?? null));
    const [updated] = await this.#database.change([statement(changed)], { refusal, order: `task ${id}` });
    return updated?.changes === 1;
  }

  async find(id: string, changedAfter: number): Promise<StoredTask | undefined> {
    const found = this.#database.queries
      .selectFrom('agent_task')
      .selectAll()
      .where('id', '=', id)
      .where('changed_at', '>', changedAfter);
    const [row] = await readRows(this.#database, found);
    return row && taskOf(row);
  }

  async list(
    owner: string,
    { contextId, state, changedAfter, below, limit }: TaskQuery,
  ): ReturnType<TaskStore['list']> {
    let meant = this.#database.queries
      .selectFrom('agent_task')
      .where('owner', '=', owner)
      .where('changed_at', '>', changedAfter);
    if (contextId !== undefined) meant = meant.where('context_id', '=', contextId);
    if (state !== undefined) meant = meant.where('state', '=', state);
    let page = meant.selectAll().orderBy('changed_at', 'desc').orderBy('id', 'desc').limit(limit);
    if (below !== undefined) {
      const { changedAt, id } = below;
      page = page.where((row) =>
        row.or([row('changed_at', '<', changedAt), row.and([row('changed_at', '=', changedAt), row('id', '<', id)])]),
      );
    }
    const count = meant.select(({ fn }) => fn.countAll<number>().as('total'));
    const [rows, counted] = await this.#database.read([statement(page), statement(count)]);
    const [{ total } = { total: 0 }] = rowsOf(count, counted);
    return { tasks: rowsOf(page, rows).map(taskOf), total };
  }

  async inState(state: string, changedAfter: number): Promise<readonly StoredTask[]> {
    const holder = this.#holder;
    const meant = this.#database.queries
      .selectFrom('agent_task')
      .selectAll()
      .where('state', '=', state)
      .where('changed_at', '>', changedAfter)
      .$if(holder !== undefined, (query) =>
        query.where((row) => (holder === undefined ? row.lit(true) : mayHold(holder, row))),
      );
    return (await readRows(this.#database, meant)).map(taskOf);
  }

  async erase(owner: string): Promise<number> {
    const deleted = this.#database.queries.deleteFrom('agent_task').where('owner', '=', owner);
    const [erased] = await this.#database.change([erasing(deleted)], ofOwner(owner));
    return erased?.changes ?? 0;
  }

  async purge(before: number): Promise<number> {
    const { queries } = this.#database;
    const due = queries.selectFrom('agent_task').select('id').where('changed_at', '<', before).limit(deletedAtOnce);
    // A task that changes at this moment stays: the condition is asked again of the row as it is then.
    const deleted = queries.deleteFrom('agent_task').where('id', 'in', due).where('changed_at', '<', before);
    let count = 0;
    for (let rows = deletedAtOnce; rows === deletedAtOnce; count += rows) {
      rows = (await this.#database.change([erasing(deleted)], ofAll))[0]?.changes ?? 0;
    }
    return count;
  }

  async #claim(holder: Holder, id: string, open: readonly string[]): Promise<boolean> {
    const claimed = this.#database.queries
      .updateTable('agent_task')
      .set({ replica: holder.replica })
      .where('id', '=', id)
      .where('state', 'in', open)
      .where((row) => mayHold(holder, row))
      .where((row) => row.not(row.exists(turnElsewhere(holder, row))));
    const [result] = await this.#database.change([statement(claimed)], { refusal, order: `task ${id}` });
    return result?.changes === 1;
  }
}

type TaskRow = ExpressionBuilder<Tables, 'agent_task'>;

/** Whether no other living replica holds the task. */
function mayHold(holder: Holder, row: TaskRow): Expression<SqlBool> {
  return row.or([row('agent_task.replica', '=', holder.replica), holder.isFree(row.ref('agent_task.replica'))]);
}

/** The turn of the task, where another living replica holds it, and where it has not ended and waits to be taken up. */
function turnElsewhere(holder: Holder, row: TaskRow) {
  return row
    .selectFrom('turn')
    .select('turn.turn_id')
    .whereRef('turn.turn_id', '=', 'agent_task.turn_id')
    .where((turn) => turn.or([turn('turn.replica', 'is', null), turn('turn.replica', '!=', holder.replica)]))
    .where((turn) => turn.or([turn('turn.forget_at', 'is', null), turn.not(holder.isFree(turn.ref('turn.replica')))]));
}

/** Changes of one owner's tasks. Tasks without an owner count together. */
function ofOwner(owner: string | null): ChangeRules {
  return { refusal, order: owner === null ? 'tasks without an owner' : `tasks of ${owner}` };
}

function rowOf({
  id,
  contextId,
  owner,
  turnId,
  state,
  changedAt,
  content,
}: StoredTask): Omit<AgentTaskTable, 'replica'> {
  return { id, context_id: contextId, owner, turn_id: turnId, state, changed_at: changedAt, content };
}

function taskOf({ id, context_id, owner, turn_id, state, changed_at, content }: AgentTaskTable): StoredTask {
  return { id, contextId: context_id, owner, turnId: turn_id, state, changedAt: changed_at, content };
}
