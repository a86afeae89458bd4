/** A task of another agent as the store keeps it (contract/a2a-server.md#tasks). */
export interface StoredTask {
  readonly id: string;
  readonly contextId: string;
  /** The user key of the caller. Null: the task is of everybody who has its id. */
  readonly owner: string | null;
  readonly turnId: string;
  /** The state by the name of the protocol. */
  readonly state: string;
  /** When the task came into this state, in epoch milliseconds. */
  readonly changedAt: number;
  /** Opaque text: the caller has sealed it. */
  readonly content: string;
}

/** The place of a task in the list of its owner's tasks. */
export type TaskPlace = Pick<StoredTask, 'id' | 'changedAt'>;

/** Which tasks of an owner a list holds. */
export interface TaskQuery {
  readonly contextId?: string | undefined;
  readonly state?: string | undefined;
  /** Only tasks that changed after this moment, in epoch milliseconds. */
  readonly changedAfter: number;
  /** Only tasks that come after this one in the list. */
  readonly below?: TaskPlace | undefined;
  readonly limit: number;
}

/** What replicas need beside, where several of them use one store at the same time (contract/replicas.md#left-behind). */
export interface SharedTasks {
  /**
   * Makes this replica the holder of a task that is in one of the states `open`. False when another living replica holds the task or its
   * turn, and while nobody has taken up its turn: whoever takes up the turn goes on with the task.
   */
  claim(id: string, open: readonly string[]): Promise<boolean>;
}

/** Keeps the tasks of other agents. Lists begin with the task that changed last; tasks of the same moment are in descending order of ids. */
export interface TaskStore {
  /**
   * Left out where one process at a time uses the store. Where it is there, `add` makes this replica the holder of the task, and `update` changes
   * tasks of this replica alone.
   */
  readonly shared?: SharedTasks;
  /**
   * Keeps a new task. Of the tasks of its owner only the `most` newest stay, and tasks without an owner count together. Tasks in one of the
   * states `open` stay in any case.
   */
  add(task: StoredTask, most: number, open: readonly string[]): Promise<void>;
  /** Replaces the state and the content of a task that is in one of the states `open`. False when there is no such task. */
  update(task: Pick<StoredTask, 'id' | 'state' | 'changedAt' | 'content'>, open: readonly string[]): Promise<boolean>;
  /** The task with this id, if it changed after `changedAfter`. */
  find(id: string, changedAfter: number): Promise<StoredTask | undefined>;
  /** Tasks of one owner, and how many the query would find without `below` and `limit`. */
  list(owner: string, query: TaskQuery): Promise<{ readonly tasks: readonly StoredTask[]; readonly total: number }>;
  /** All tasks in this state that changed after `changedAfter`, whoever owns them, without those that another living replica holds. */
  inState(state: string, changedAfter: number): Promise<readonly StoredTask[]>;
  /** Deletes the tasks of an owner, and resolves with their number. */
  erase(owner: string): Promise<number>;
  /** Deletes tasks that last changed before this moment, in epoch milliseconds, and resolves with their number. */
  purge(before: number): Promise<number>;
}
