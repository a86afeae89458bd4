import { Task, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import type { Assistant } from '../../core/assistant.ts';
import { atMost } from '../../core/base/at-most.ts';
import { randomId } from '../../core/base/random-id.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TaskQuery } from '../../core/ports/task-store.ts';
import { untilHeld } from '../../core/record/until-held.ts';
import type { KeptTask, KeptTasks } from '../../core/tasks/kept-tasks.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import { emptyMessage, type SentTask, statusMessage } from './read-sent.ts';
import { RunningTask, type RunningTaskOptions } from './running-task.ts';

/** Who makes a request, and with what. */
export interface TaskCaller {
  readonly principal: Principal;
  /** The caller's own `Authorization` header. Never kept, never logged. */
  readonly authorization: string | undefined;
  /** A hash of the caller's token, where its user can be asked on a page (contract/a2a-server.md#confirmations). */
  readonly credential: string | undefined;
  /** The key by which turns of callers without a name are counted. */
  readonly address: string;
  readonly traceparent: string | undefined;
  /** Aborted once the client of the request has gone. */
  readonly gone: AbortSignal;
}

export interface TasksOptions {
  readonly assistant: Pick<Assistant, 'openSession' | 'followTurn' | 'replicaOfTurn'>;
  readonly kept: KeptTasks;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** What a caller is told of a task that ended with an earlier process, in the configured language. */
  readonly interrupted: () => string;
  /** What a caller is told whose user has to answer a question on a page. */
  readonly askingText: RunningTaskOptions['askingText'];
  readonly doneBelow: RunningTaskOptions['doneBelow'];
}

/**
 * A task that the caller may see: it runs here, it is over, or it does not run here now (`later`), because another replica runs it, or because
 * its turn is of an earlier process and waits to go on.
 */
export type FoundTask =
  { readonly running: RunningTask; readonly turn: Turn } | { readonly over: Task } | { readonly later: Task };

/** How long a server that ends waits for its store, in milliseconds. */
const lastStoresMs = 5_000;

interface Running {
  readonly running: RunningTask;
  readonly turn: Turn;
  readonly owner: string | null;
  /** Settles once all that the task has come to is stored. Rejects when its beginning cannot be. */
  stored: Promise<unknown>;
}

/**
 * The tasks of other agents. Each is one turn in a conversation of its own, which runs on when its client has gone
 * (contract/a2a-server.md#tasks).
 */
export class Tasks {
  readonly #options: TasksOptions;
  /** The tasks that run, and those whose end is not stored yet. */
  readonly #running = new Map<string, Running>();
  readonly #storing = new Set<Promise<unknown>>();

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /**
   * Begins a task. Resolves once it is kept. `isReadWhole`: its client reads no stream of it.
   * @throws HelperError `storage_unavailable` when it cannot be kept; then its turn is stopped.
   */
  async begin(
    { text, attachments, message, contextId }: SentTask,
    { isReadWhole, ...caller }: TaskCaller & { readonly isReadWhole: boolean },
  ): Promise<RunningTask> {
    const { assistant, kept } = this.#options;
    const { principal, traceparent, gone: _, ...sender } = caller;
    const owner = ownerOf(principal);
    const session = assistant.openSession({ channel: 'a2a', principal, ...sender });
    const running = this.#made({ id: randomId(), contextId: contextId ?? randomId(), message }, () => {
      // The turn has ended, so this stops nothing.
      session.close('connection-closed');
    });
    const turn = session.startNow(
      { text, ...(attachments.length === 0 ? {} : { attachments }) },
      { traceparent, isReadWhole },
    );
    const { id, task } = running;
    const added = kept.add({ id, contextId: task.contextId, owner, turnId: turn.id, ...contentOf(task) });
    this.#running.set(id, { running, turn, owner, stored: added });
    follow(turn, running);
    try {
      await added;
    } catch (cause) {
      this.#running.delete(id);
      session.close('connection-closed');
      throw new HelperError('storage_unavailable', 'The task could not be kept, so it was stopped.', { cause });
    }
    return running;
  }

  /** The task with this id. Undefined when there is none, or when it is not the caller's: nobody learns which. */
  async find(id: string, { principal }: Pick<TaskCaller, 'principal'>): Promise<FoundTask | undefined> {
    const live = this.#live(id);
    if (live !== undefined) return mayRead(live.owner, principal) ? live : undefined;
    const stored = await this.#options.kept.find(id);
    if (stored === undefined || !mayRead(stored.owner, principal)) return undefined;
    return this.#resolved(stored);
  }

  /**
   * The other replica that runs a task of the caller. Undefined where none does, and where the task is over or unknown: then this one knows all
   * there is (contract/replicas.md#programs).
   * @throws HelperError as `Assistant.replicaOfTurn`.
   */
  async replicaOf(
    id: string,
    { principal }: Pick<TaskCaller, 'principal'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (this.#live(id) !== undefined) return undefined;
    const { kept, assistant } = this.#options;
    const stored = await kept.find(id);
    if (stored === undefined || !mayRead(stored.owner, principal) || kept.isOver(stored)) return undefined;
    return assistant.replicaOfTurn(stored.turnId, signal);
  }

  /** The caller's tasks, the last changed first. Callers without a name have no list. */
  async list(
    { principal }: Pick<TaskCaller, 'principal'>,
    query: Omit<TaskQuery, 'changedAfter' | 'state'> & { readonly state: TaskState; readonly changedAfter?: number },
  ): Promise<{ readonly tasks: readonly Task[]; readonly total: number; readonly next?: TaskQuery['below'] }> {
    const owner = ownerOf(principal);
    if (owner === null) return { tasks: [], total: 0 };
    const state = query.state === TaskState.TASK_STATE_UNSPECIFIED ? undefined : taskStateToJSON(query.state);
    const { tasks, ...found } = await this.#options.kept.list(owner, { ...query, state });
    const shown = await Promise.all(tasks.map((stored) => this.#resolved(stored)));
    return { ...found, tasks: shown.filter((one) => one !== undefined).map(taskOf) };
  }

  /**
   * Goes on with the tasks of earlier processes: with those whose turns go on in this one, and the others end. Must be called once the turns
   * of earlier processes are taken up (contract/restarts.md#turns). Never rejects.
   */
  async takeUp(): Promise<void> {
    await this.recover().catch((error: unknown) => {
      this.#options.log.warn({ error }, 'tasks of other agents could not be taken up: each is when it is read');
    });
  }

  /** The same for tasks of replicas that have died since (contract/replicas.md#left-behind). Rejects when the store fails. */
  async recover(): Promise<void> {
    const begun = await this.#options.kept.unfinished();
    await Promise.all(begun.map((stored) => this.#resolved(stored)));
  }

  /** Resolves once all ends are stored, or after a while. The turns must have ended. */
  async close(): Promise<void> {
    await atMost(lastStoresMs, Promise.allSettled(this.#storing));
    const lost = [...this.#running.values()].filter(({ running }) => running.isOver).map(({ running: { id } }) => id);
    if (lost.length > 0) this.#options.log.error({ taskIds: lost }, 'the ends of tasks could not be stored in time');
  }

  /**
   * What a stored task is now. Its turn may go on here from an earlier process, or on another replica. A task that was not over, and whose turn
   * goes on nowhere, ended with the process that ran it. Undefined for a task that was erased in the meantime.
   */
  async #resolved(stored: KeptTask): Promise<FoundTask | undefined> {
    const { assistant, kept } = this.#options;
    const { id } = stored;
    if (kept.isOver(stored)) return { over: taskIn(stored.content) };
    const known = this.#live(id);
    if (known !== undefined) return known;
    const isOurs = await kept.claim(id);
    const turn = isOurs ? await assistant.followTurn(stored.turnId) : 'later';
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    // A task that ended here in the meantime was stored before it left the list of those that run. So it is read once more after that look.
    const current = await kept.find(id);
    if (current === undefined) return undefined;
    if (kept.isOver(current)) return { over: taskIn(current.content) };
    if (turn === 'later') return { later: taskIn(current.content) };
    return this.#running.get(id) ?? (turn === undefined ? this.#interrupted(current) : this.#adopted(current, turn));
  }

  /** A task of this process. One whose turn has left it goes on elsewhere, and what is known of it here is forgotten. */
  #live(id: string): Running | undefined {
    const live = this.#running.get(id);
    if (live?.running.hasLeft !== true) return live;
    this.#running.delete(id);
    return undefined;
  }

  /** Goes on with a task whose turn was taken up from an earlier process. */
  #adopted({ id, contextId, owner, content }: KeptTask, turn: Turn): Running {
    const [message = emptyMessage] = taskIn(content).history;
    const running = this.#made({ id, contextId, message }, () => undefined);
    const adopted: Running = { running, turn, owner, stored: Promise.resolve() };
    this.#running.set(id, adopted);
    follow(turn, running);
    return adopted;
  }

  /** Ends a task whose turn goes on nowhere. */
  async #interrupted({ id, content }: KeptTask): Promise<FoundTask | undefined> {
    const { kept, clock, interrupted } = this.#options;
    const task = taskIn(content);
    const message = statusMessage(interrupted(), task);
    const status = { state: TaskState.TASK_STATE_FAILED, message, timestamp: new Date(clock.now()).toISOString() };
    const ended = { ...task, status };
    if (await kept.update({ id, ...contentOf(ended) })) return { over: ended };
    const other = await kept.find(id);
    return other && { over: taskIn(other.content) };
  }

  #made(given: Pick<RunningTaskOptions, 'id' | 'contextId' | 'message'>, onOver: () => void): RunningTask {
    const { clock, askingText, doneBelow } = this.#options;
    return new RunningTask({
      ...given,
      now: () => clock.now(),
      askingText,
      doneBelow,
      onState: (task) => {
        if (task.isOver) onOver();
        this.#store(task);
      },
    });
  }

  /** Stores the state that a task has come to, after its states before, however long the store takes. */
  #store({ id, task, isOver }: RunningTask): void {
    const known = this.#running.get(id);
    if (known === undefined) return;
    const stored = known.stored
      // The caller was told already that the beginning could not be stored. Then there is nothing to update.
      .catch(() => undefined)
      .then(() => untilHeld(() => this.#options.kept.update({ id, ...contentOf(task) })))
      .catch((error: unknown) => {
        this.#options.log.error({ error, taskId: id }, 'the state of a task could not be stored');
      })
      .finally(() => {
        this.#storing.delete(stored);
        if (isOver) this.#running.delete(id);
      });
    known.stored = stored;
    this.#storing.add(stored);
  }
}

/** Makes the task the reader of its turn. */
function follow(turn: Turn, running: RunningTask): void {
  if (turn.subscribe(running, 0) !== undefined) return;
  void turn.result.then((result) => {
    running.conclude(result);
  });
}

/** The user key of the caller. Null: what a caller without a name begins is of everybody who has its id. */
function ownerOf({ kind, userKey }: Principal): string | null {
  return kind === 'signed-in' ? userKey : null;
}

function mayRead(owner: string | null, principal: Principal): boolean {
  return owner === null || owner === ownerOf(principal);
}

function contentOf(task: Task): Pick<KeptTask, 'state' | 'content'> {
  return {
    state: taskStateToJSON(task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED),
    content: JSON.stringify(Task.toJSON(task)),
  };
}

function taskIn(content: string): Task {
  return Task.fromJSON(JSON.parse(content));
}

/** The task as it is now. */
export function taskOf(found: FoundTask): Task {
  if ('running' in found) return found.running.task;
  return 'over' in found ? found.over : found.later;
}
