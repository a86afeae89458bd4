import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordSealer } from '../ports/record-sealer.ts';
import type { StoredTask, TaskQuery, TaskStore } from '../ports/task-store.ts';

/** How long a task is kept after it last changed, in milliseconds (contract/a2a-server.md#tasks). */
export const taskKeptMs = 24 * 60 * 60 * 1000;

/** The most tasks that are kept of one user. */
const mostOfUser = 1_000;

/** The most tasks that are kept of all callers without a name together. */
const mostOfNobody = 10_000;

export interface KeptTasksOptions {
  readonly store: TaskStore;
  readonly sealer: RecordSealer;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
  /** The states of tasks that are not over. */
  readonly open: readonly string[];
}

/** A task whose content can be read. */
export type KeptTask = Omit<StoredTask, 'changedAt'>;

/** The tasks of other agents, sealed in the store (contract/a2a-server.md#tasks). All methods reject when the store fails. */
export class KeptTasks {
  readonly #options: KeptTasksOptions;

  constructor(options: KeptTasksOptions) {
    this.#options = options;
  }

  /** Keeps a new task. */
  add(task: KeptTask): Promise<void> {
    const { store, clock, open } = this.#options;
    const most = task.owner === null ? mostOfNobody : mostOfUser;
    return store.add({ ...task, changedAt: clock.now(), content: this.#sealed(task) }, most, open);
  }

  /** Replaces the state and the content of a task that is not over. False when it is over, or was erased. */
  update(task: Pick<KeptTask, 'id' | 'state' | 'content'>): Promise<boolean> {
    const { store, clock, open } = this.#options;
    return store.update({ ...task, changedAt: clock.now(), content: this.#sealed(task) }, open);
  }

  /** The task with this id. Undefined when there is none, or when it cannot be opened. */
  async find(id: string): Promise<KeptTask | undefined> {
    const { store, clock } = this.#options;
    const task = await store.find(id, clock.now() - taskKeptMs);
    return task && this.#opened(task);
  }

  /** Tasks of a user, the last changed first. `next` is the place after which the next page begins. */
  async list(
    owner: string,
    { limit, changedAfter = 0, ...query }: Omit<TaskQuery, 'changedAfter'> & { readonly changedAfter?: number },
  ): Promise<{ readonly tasks: readonly KeptTask[]; readonly total: number; readonly next?: TaskQuery['below'] }> {
    const { store, clock } = this.#options;
    const after = Math.max(changedAfter, clock.now() - taskKeptMs);
    const { tasks, total } = await store.list(owner, { ...query, changedAfter: after, limit: limit + 1 });
    const shown = tasks.slice(0, limit);
    const last = shown.at(-1);
    return {
      tasks: shown.map((task) => this.#opened(task)).filter((task) => task !== undefined),
      total,
      ...(tasks.length > limit && last !== undefined ? { next: { id: last.id, changedAt: last.changedAt } } : {}),
    };
  }

  /**
   * Makes this process the one that goes on with a task that is not over. False where another replica does, or will once it has taken up the
   * turn of the task (contract/replicas.md#left-behind).
   */
  async claim(id: string): Promise<boolean> {
    const { store, open } = this.#options;
    return (await store.shared?.claim(id, open)) ?? true;
  }

  /** All tasks that are not over and that no other living replica goes on with, whoever owns them. */
  async unfinished(): Promise<readonly KeptTask[]> {
    const { store, clock, open } = this.#options;
    const found = await Promise.all(open.map((state) => store.inState(state, clock.now() - taskKeptMs)));
    const tasks = found.flat();
    return tasks.map((task) => this.#opened(task)).filter((task) => task !== undefined);
  }

  /** Whether a task in this state is over. */
  isOver({ state }: Pick<KeptTask, 'state'>): boolean {
    return !this.#options.open.includes(state);
  }

  #sealed({ id, content }: Pick<StoredTask, 'id' | 'content'>): string {
    return this.#options.sealer.seal(content, sealedName(id));
  }

  #opened({ changedAt: _, ...task }: StoredTask): KeptTask | undefined {
    const { sealer, log } = this.#options;
    try {
      return { ...task, content: sealer.open(task.content, sealedName(task.id)) };
    } catch (error) {
      log.warn({ error, taskId: task.id }, 'a task cannot be opened: were the keys of dataProtection changed?');
      return undefined;
    }
  }
}

/** The name that a task is sealed with. A text that is sealed under one name cannot be opened under another. */
function sealedName(id: string): string {
  return `task/${id}`;
}
