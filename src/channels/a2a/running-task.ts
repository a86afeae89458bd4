import { type Artifact, type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { RecordedEvent, TurnEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { TurnResult } from '../../core/turn/live/turn.ts';
import { emptyMessage, textPart } from './read-sent.ts';

type Fields<Type extends TurnEvent['type']> = Omit<Extract<TurnEvent, { readonly type: Type }>, 'type'>;

/** How a turn that ended is told. */
const stateByStatus = {
  completed: TaskState.TASK_STATE_COMPLETED,
  stopped: TaskState.TASK_STATE_CANCELED,
  refused: TaskState.TASK_STATE_REJECTED,
  failed: TaskState.TASK_STATE_FAILED,
} as const;

/** The one artifact of a task: the reply. */
const replyId = 'reply';

export interface RunningTaskOptions {
  readonly id: string;
  readonly contextId: string;
  readonly message: Message;
  readonly now: () => number;
  /** Called once, when the task has come to its end. */
  readonly onOver: (task: RunningTask) => void;
}

/** A task whose turn runs: the one reader of the turn, for all who follow the task (contract/a2a-server.md#tasks). */
export class RunningTask implements TurnListener {
  readonly #options: RunningTaskOptions;
  #state: TaskState = TaskState.TASK_STATE_WORKING;
  #changedAt: number;
  #reply = '';
  /** How often the reply was replaced. */
  #replaced = 0;
  /** What the caller is told where there is no reply. */
  #message = '';
  #change = Promise.withResolvers<undefined>();

  constructor(options: RunningTaskOptions) {
    this.#options = options;
    this.#changedAt = options.now();
  }

  get id(): string {
    return this.#options.id;
  }

  get state(): TaskState {
    return this.#state;
  }

  get isOver(): boolean {
    return this.#state !== TaskState.TASK_STATE_WORKING;
  }

  /** The task as it is now. */
  get task(): Task {
    const { id, contextId, message } = this.#options;
    return {
      ...{ id, contextId, metadata: undefined },
      status: this.#status,
      artifacts: this.#reply === '' ? [] : [artifact(this.#reply)],
      history: [{ ...message, taskId: id, contextId }],
    };
  }

  onEvent({ type, json }: RecordedEvent): void {
    switch (type) {
      case 'text-delta': {
        const { text } = JSON.parse(json) as Fields<'text-delta'>; // as this server has written it
        this.#reply += text;
        break;
      }
      case 'text-replaced': {
        const { text } = JSON.parse(json) as Fields<'text-replaced'>; // likewise
        this.#replace(text);
        break;
      }
      case 'error-occurred': {
        const { message } = JSON.parse(json) as Fields<'error-occurred'>; // likewise
        this.#message = message;
        return;
      }
      case 'turn-completed': {
        const { status, text } = JSON.parse(json) as Fields<'turn-completed'>; // likewise
        this.#replace(text);
        this.#end(stateByStatus[status]);
        return;
      }
      default:
        return;
    }
    this.#changed();
  }

  /** Ends the task as its turn has ended, where the events of the turn are not kept any more. */
  conclude({ status, text }: Pick<TurnResult, 'status' | 'text'>): void {
    this.#replace(text);
    this.#end(stateByStatus[status]);
  }

  onEnd(): void {
    this.#end(TaskState.TASK_STATE_FAILED);
  }

  /** Resolves once the task is over, or the signal is aborted. */
  async over(signal: AbortSignal): Promise<void> {
    while (!this.isOver && !signal.aborted) await this.#changedOr(signal);
  }

  /**
   * The task as it is now, then its changes, until it is over or the signal is aborted. What is told depends on what the reader has read
   * alone, so that a slow reader makes nobody wait and needs no buffer: it is told more at a time.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<StreamResponse, void, undefined> {
    const { task } = this;
    const begun = task.status?.state;
    let told = { length: this.#reply.length, replaced: this.#replaced };
    yield { payload: { $case: 'task', value: task } };
    while (!signal.aborted) {
      const now = { length: this.#reply.length, replaced: this.#replaced };
      if (now.replaced !== told.replaced || now.length > told.length) {
        const growth = this.#growth(told);
        told = now;
        yield growth;
      } else if (this.isOver) break;
      else await this.#changedOr(signal);
    }
    if (this.isOver && begun !== this.#state) yield this.#statusUpdate();
  }

  #growth(told: { readonly length: number; readonly replaced: number }): StreamResponse {
    const { id: taskId, contextId } = this.#options;
    const append = told.replaced === this.#replaced && told.length > 0;
    const text = append ? this.#reply.slice(told.length) : this.#reply;
    const value = { taskId, contextId, artifact: artifact(text), append, lastChunk: this.isOver, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }

  #statusUpdate(): StreamResponse {
    const { id: taskId, contextId } = this.#options;
    return {
      payload: { $case: 'statusUpdate', value: { taskId, contextId, status: this.#status, metadata: undefined } },
    };
  }

  get #status(): NonNullable<Task['status']> {
    const { id: taskId, contextId } = this.#options;
    const isTold = this.#message !== '' && this.isOver && this.#state !== TaskState.TASK_STATE_COMPLETED;
    const message: Message = {
      ...emptyMessage,
      ...{ messageId: `${taskId}-status`, taskId, contextId, role: Role.ROLE_AGENT, parts: [textPart(this.#message)] },
    };
    return {
      state: this.#state,
      message: isTold ? message : undefined,
      timestamp: new Date(this.#changedAt).toISOString(),
    };
  }

  #replace(text: string): void {
    if (text === this.#reply) return;
    this.#reply = text;
    this.#replaced += 1;
  }

  #end(state: TaskState): void {
    if (this.isOver) return;
    this.#state = state;
    this.#changedAt = this.#options.now();
    this.#options.onOver(this);
    this.#changed();
  }

  #changed(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve(undefined);
  }

  async #changedOr(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<undefined>();
    const onAbort = (): void => {
      aborted.resolve(undefined);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#change.promise, aborted.promise]);
    signal.removeEventListener('abort', onAbort);
  }
}

function artifact(text: string): Artifact {
  return {
    ...{ artifactId: replyId, name: replyId, description: '', parts: [textPart(text)], metadata: undefined },
    extensions: [],
  };
}
