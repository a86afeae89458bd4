import type { StoredTask, TaskPlace, TaskQuery, TaskStore } from '../../../core/ports/task-store.ts';

/** Tasks of other agents, for `storage.type: memory`. They end with the process. */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, StoredTask>();

  add(task: StoredTask, most: number, open: readonly string[]): Promise<void> {
    this.#tasks.set(task.id, task);
    // As long as all tasks together are fewer, none is one too many of its owner.
    const tooMany = this.#tasks.size > most ? this.#of(task.owner).slice(most) : [];
    for (const { id, state } of tooMany) if (!open.includes(state)) this.#tasks.delete(id);
    return Promise.resolve();
  }

  update({ id, ...changes }: Parameters<TaskStore['update']>[0], open: readonly string[]): Promise<boolean> {
    const task = this.#tasks.get(id);
    const isOpen = task !== undefined && open.includes(task.state);
    if (isOpen) this.#tasks.set(id, { ...task, ...changes });
    return Promise.resolve(isOpen);
  }

  find(id: string, changedAfter: number): Promise<StoredTask | undefined> {
    const task = this.#tasks.get(id);
    return Promise.resolve(task !== undefined && task.changedAt > changedAfter ? task : undefined);
  }

  list(owner: string, { contextId, state, changedAfter, below, limit }: TaskQuery): ReturnType<TaskStore['list']> {
    const meant = this.#of(owner).filter(
      (task) =>
        task.changedAt > changedAfter &&
        (contextId === undefined || task.contextId === contextId) &&
        (state === undefined || task.state === state),
    );
    const rest = below === undefined ? meant : meant.filter((task) => inOrder(below, task) < 0);
    return Promise.resolve({ tasks: rest.slice(0, limit), total: meant.length });
  }

  inState(state: string, changedAfter: number): Promise<readonly StoredTask[]> {
    const isMeant = (task: StoredTask): boolean => task.state === state && task.changedAt > changedAfter;
    return Promise.resolve([...this.#tasks.values()].filter(isMeant));
  }

  erase(owner: string): Promise<number> {
    return this.#delete((task) => task.owner === owner);
  }

  purge(before: number): Promise<number> {
    return this.#delete(({ changedAt }) => changedAt < before);
  }

  #of(owner: string | null): readonly StoredTask[] {
    return [...this.#tasks.values()].filter((task) => task.owner === owner).toSorted(inOrder);
  }

  #delete(isMeant: (task: StoredTask) => boolean): Promise<number> {
    const meant = [...this.#tasks.values()].filter(isMeant);
    for (const { id } of meant) this.#tasks.delete(id);
    return Promise.resolve(meant.length);
  }
}

/** The newest task first. Ids are compared as the database compares them. */
function inOrder(one: TaskPlace, other: TaskPlace): number {
  if (one.changedAt !== other.changedAt) return other.changedAt - one.changedAt;
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}
