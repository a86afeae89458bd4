import {
  type AgentCard,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { agentCard } from './agent-card.ts';
import { historyLengthOf, readSent } from './read-sent.ts';
import type { RunningTask } from './running-task.ts';
import { type FoundTask, type TaskCaller, taskOf, type Tasks } from './tasks.ts';

type RequestHandler = ConstructorParameters<typeof JsonRpcTransportHandler>[0];

/** A card that says what this handler can do, and nothing else. The card of the agent is at its well-known address. */
const noCard = agentCard(
  { name: '', description: '', version: '', inputModes: [], signIn: 'none' },
  { actions: [], address: '', path: '' },
);

/** The tasks of a page, unless the client says how many, and at most. */
const pageSizes = { usual: 50, most: 100 };

/** How long a message waits for the user of a task, in milliseconds. Clients give up after a minute. */
const longestWaitMs = 45_000;

/** What the requests of one caller ask of its tasks (contract/a2a-server.md#requests). Every method throws errors of the protocol alone. */
export class TaskRequests implements RequestHandler {
  readonly #tasks: Tasks;
  readonly #caller: TaskCaller;
  readonly #inputModes: readonly string[];
  readonly #log: Logger;

  /** `inputModes`: media types of the parts that a message may have. */
  constructor(
    tasks: Tasks,
    caller: TaskCaller,
    { inputModes, log }: { readonly inputModes: readonly string[]; readonly log: Logger },
  ) {
    this.#tasks = tasks;
    this.#caller = caller;
    this.#inputModes = inputModes;
    this.#log = log;
  }

  sendMessage(request: SendMessageRequest): Promise<Task> {
    return this.#answered(async () => {
      const { historyLength, isImmediate, task } = await this.#begun(request, true);
      if (!isImmediate) await task.settled(this.#caller.gone);
      return withHistory(task.task, historyLength);
    });
  }

  async *sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const { task } = await this.#answered(() => this.#begun(request, false));
    yield* task.follow(this.#caller.gone, true);
  }

  async *resubscribe({ id }: { readonly id: string }): AsyncGenerator<StreamResponse, void, undefined> {
    const found = await this.#answered(() => this.#found(id));
    if ('over' in found) throw new UnsupportedOperationError(`The task ${id} is over. Read it with GetTask.`);
    if ('later' in found) throw goesOnLater(id);
    yield* found.running.follow(this.#caller.gone);
  }

  getTask({ id, historyLength }: { readonly id: string; readonly historyLength?: number | undefined }): Promise<Task> {
    return this.#answered(async () => withHistory(taskOf(await this.#found(id)), historyLengthOf(historyLength)));
  }

  cancelTask({ id }: { readonly id: string }): Promise<Task> {
    return this.#answered(async () => {
      const found = await this.#found(id);
      if ('later' in found) throw goesOnLater(id);
      if ('running' in found) {
        await found.turn.stop('user');
        await found.running.over(this.#caller.gone);
      }
      const task = taskOf(found);
      if (task.status?.state !== TaskState.TASK_STATE_CANCELED)
        throw new TaskNotCancelableError(`The task ${id} is over.`);
      return task;
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#answered(async () => {
      const { contextId, status: state, includeArtifacts, statusTimestampAfter: after } = request;
      if (state === TaskState.UNRECOGNIZED) throw new RequestMalformedError('status must be the name of a state.');
      const limit = pageSizeOf(request.pageSize);
      const historyLength = historyLengthOf(request.historyLength);
      const { tasks, total, next } = await this.#tasks.list(this.#caller, {
        ...{ limit, state, below: placeIn(request.pageToken) },
        ...(contextId === '' ? {} : { contextId }),
        ...(after === undefined ? {} : { changedAfter: momentOf(after) }),
      });
      const shown = tasks.map((task) =>
        withHistory(includeArtifacts ? task : { ...task, artifacts: [] }, historyLength),
      );
      const nextPageToken = next === undefined ? '' : `${String(next.changedAt)}.${next.id}`;
      return { tasks: shown, nextPageToken, pageSize: limit, totalSize: total };
    });
  }

  getAgentCard(): Promise<AgentCard> {
    // Asked for by clients of before 1.0, and only for whether there are streams.
    return Promise.resolve(noCard);
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return Promise.reject(new UnsupportedOperationError('There is no other card.'));
  }

  createTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  getTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  listTaskPushNotificationConfigs(): Promise<never> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  deleteTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  async #begun(
    request: SendMessageRequest,
    isReadWhole: boolean,
  ): Promise<{
    readonly task: RunningTask;
    readonly isImmediate: boolean;
    readonly historyLength: number | undefined;
  }> {
    const sent = readSent(request, this.#inputModes);
    const { taskId, contextId, isImmediate, historyLength } = sent;
    const task =
      taskId === undefined
        ? await this.#tasks.begin(sent, { ...this.#caller, isReadWhole })
        : await this.#goneOn(taskId, contextId);
    return { task, isImmediate, historyLength };
  }

  /**
   * A task that has asked its user. A message to it says that its client goes on: the answer is the task once the user has answered on the
   * page, or as it is after a while (contract/a2a-server.md#confirmations). Its words are not read.
   */
  async #goneOn(id: string, contextId: string | undefined): Promise<RunningTask> {
    const found = await this.#found(id);
    if ('later' in found) throw goesOnLater(id);
    // A client that takes a task for one of another context must not go on with it (A2A 1.0, section 3.4.3).
    if (contextId !== undefined && contextId !== taskOf(found).contextId)
      throw new RequestMalformedError(`contextId must be that of the task ${id}, or left out.`);
    // The user may have answered before the message came.
    if ('over' in found || !found.running.hasAsked)
      throw new UnsupportedOperationError(
        `The task ${id} takes no further message. Leave taskId out to begin another task.`,
      );
    await found.running.answered(AbortSignal.any([this.#caller.gone, AbortSignal.timeout(longestWaitMs)]));
    return found.running;
  }

  async #found(id: string): Promise<FoundTask> {
    if (id.trim() === '') throw new RequestMalformedError('The request needs the id of a task.');
    const found = await this.#tasks.find(id, this.#caller);
    if (found === undefined) throw new TaskNotFoundError('There is no such task.');
    return found;
  }

  /** What this server means to say is said. The words of any other fault are for the log. */
  async #answered<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    try {
      return await answer();
    } catch (error) {
      if (error instanceof A2AError) throw error;
      if (error instanceof HelperError) throw new A2AError(error.message);
      this.#log.error({ error }, 'a request over A2A failed');
      throw new A2AError('The server failed.');
    }
  }
}

/** The server has just started, and its turns are being taken up. Or another replica runs the task. */
function goesOnLater(id: string): A2AError {
  return new A2AError(
    `The task ${id} cannot be reached right now: it goes on after a restart, or on another replica. Try again in a moment.`,
  );
}

/** A task has one message. */
function withHistory(task: Task, length: number | undefined): Task {
  return length === 0 ? { ...task, history: [] } : task;
}

function pageSizeOf(size: number | undefined): number {
  const { usual, most } = pageSizes;
  if (size === undefined) return usual;
  if (Number.isInteger(size) && size >= 1 && size <= most) return size;
  throw new RequestMalformedError(`pageSize must be a whole number from 1 to ${String(most)}.`);
}

function momentOf(text: string): number {
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw new RequestMalformedError('statusTimestampAfter must be a moment such as 2026-01-31T12:00:00Z.');
}

/** The place after which a page begins. The token says nothing that its caller may not know. */
function placeIn(token: string): { readonly changedAt: number; readonly id: string } | undefined {
  if (token === '') return undefined;
  const [, at = '', id = ''] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(token) ?? [];
  if (id === '') throw new RequestMalformedError('The pageToken is not one of this server.');
  return { changedAt: Number(at), id };
}
