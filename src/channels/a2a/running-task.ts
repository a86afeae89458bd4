import { type Artifact, type Message, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type PartError, partErrorOf } from '../../core/errors/part-errors.ts';
import type { RecordedEvent, TurnEvent } from '../../core/events/turn-event.ts';
import type { ToldEnd } from '../../core/guardrails/honest-texts.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { TurnResult } from '../../core/turn/live/turn.ts';
import { statusMessage, textPart } from './read-sent.ts';

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
  /** What the client is told where its user has to answer a question on a page. */
  readonly askingText: (question: { readonly actionId: string; readonly title: string }) => string;
  /** What was really done, to stand below what was said. Empty where there is nothing to tell. */
  readonly doneBelow: (end: ToldEnd) => string;
  /** Called when the task has come into another state. */
  readonly onState: (task: RunningTask) => void;
}

/** How far a task has come, as a reader is told it. */
interface Reached {
  readonly length: number;
  readonly replaced: number;
  readonly state: TaskState;
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
  /** What was not read of the message. */
  readonly #warnings: PartError[] = [];
  /** What the client is told of each question that waits for its user, by its id. */
  readonly #questions = new Map<string, string>();
  #hasAsked = false;
  #change = Promise.withResolvers<undefined>();
  /** The turn does not run in this process any more. */
  #hasLeft = false;
  /** How many wait for the next change. */
  #waiting = 0;

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
    return !this.isWaiting && this.#state !== TaskState.TASK_STATE_WORKING;
  }

  /** Whether its turn has left this process without an end. */
  get hasLeft(): boolean {
    return this.#hasLeft && !this.isOver;
  }

  /** Whether a client waits for the task now. */
  get isRead(): boolean {
    return this.#waiting > 0;
  }

  /** Whether the user was asked. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Whether the user has to answer before the task goes on. */
  get isWaiting(): boolean {
    return this.#state === TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  /** The task as it is now. */
  get task(): Task {
    const { id, contextId, message } = this.#options;
    return {
      ...{ id, contextId, metadata: this.#metadata },
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
      case 'confirmation-requested': {
        const { actionId, title } = JSON.parse(json) as Fields<'confirmation-requested'>; // likewise
        this.#hasAsked = true;
        this.#questions.set(actionId, this.#options.askingText({ actionId, title }));
        this.#enter(TaskState.TASK_STATE_INPUT_REQUIRED);
        return;
      }
      case 'confirmation-resolved': {
        const { actionId } = JSON.parse(json) as Fields<'confirmation-resolved'>; // likewise
        if (this.#questions.delete(actionId) && this.#questions.size === 0) this.#enter(TaskState.TASK_STATE_WORKING);
        return;
      }
      case 'error-occurred': {
        const fault = JSON.parse(json) as Fields<'error-occurred'>; // likewise
        const warning = partErrorOf(fault);
        if (warning === undefined) this.#message = fault.message;
        else this.#warnings.push(warning);
        return;
      }
      case 'turn-completed': {
        this.#completed(JSON.parse(json) as Fields<'turn-completed'>); // likewise
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

  /** A turn that leaves without its end goes on in the next process. Whoever follows the task here is told no more. */
  onEnd(): void {
    this.#hasLeft = true;
    this.#changed();
  }

  /** Resolves once the task is over or waits for its user, or the signal is aborted. */
  async settled(signal: AbortSignal): Promise<void> {
    while (!this.#isDone && !this.isWaiting && !signal.aborted) await this.#changedOr(signal);
  }

  /** Resolves once the task is over, or the signal is aborted. */
  async over(signal: AbortSignal): Promise<void> {
    while (!this.#isDone && !signal.aborted) await this.#changedOr(signal);
  }

  /** Resolves once the task does not wait for its user any more, or the signal is aborted. */
  async answered(signal: AbortSignal): Promise<void> {
    while (this.isWaiting && !this.#hasLeft && !signal.aborted) await this.#changedOr(signal);
  }

  /**
   * The task as it is now, then its changes, until it is over or the signal is aborted. With `endsWhenWaiting` the first question to the user
   * is the end, too. What is told depends on what the reader has read alone, so that a slow reader makes nobody wait and needs no buffer: it
   * is told more at a time.
   */
  async *follow(signal: AbortSignal, endsWhenWaiting = false): AsyncGenerator<StreamResponse, void, undefined> {
    const { task } = this;
    let told = this.#reached;
    yield { payload: { $case: 'task', value: task } };
    while (!signal.aborted) {
      const now = this.#reached;
      if (now.replaced !== told.replaced || now.length > told.length) {
        const growth = this.#growth(told);
        told = { ...now, state: told.state };
        yield growth;
      } else if (now.state !== told.state) {
        told = now;
        yield this.#statusUpdate();
        if (endsWhenWaiting && now.state === TaskState.TASK_STATE_INPUT_REQUIRED) return;
      } else if (this.#isDone) return;
      else await this.#changedOr(signal);
    }
  }

  get #isDone(): boolean {
    return this.isOver || this.#hasLeft;
  }

  /** How far the task has come. */
  get #reached(): Reached {
    return { length: this.#reply.length, replaced: this.#replaced, state: this.#state };
  }

  #growth(told: Pick<Reached, 'length' | 'replaced'>): StreamResponse {
    const { id: taskId, contextId } = this.#options;
    const append = told.replaced === this.#replaced && told.length > 0;
    const text = append ? this.#reply.slice(told.length) : this.#reply;
    const value = { taskId, contextId, artifact: artifact(text), append, lastChunk: this.isOver, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }

  #statusUpdate(): StreamResponse {
    const { id: taskId, contextId } = this.#options;
    return {
      payload: { $case: 'statusUpdate', value: { taskId, contextId, status: this.#status, metadata: this.#metadata } },
    };
  }

  get #metadata(): Task['metadata'] {
    return this.#warnings.length === 0 ? undefined : { warnings: [...this.#warnings] };
  }

  get #status(): NonNullable<Task['status']> {
    const words = this.#words;
    return {
      state: this.#state,
      message: words === '' ? undefined : statusMessage(words, this.#options),
      timestamp: new Date(this.#changedAt).toISOString(),
    };
  }

  /** What the server itself says of the state of the task. */
  get #words(): string {
    if (this.isWaiting) return [...this.#questions.values()].join('\n');
    return this.isOver && this.#state !== TaskState.TASK_STATE_COMPLETED ? this.#message : '';
  }

  /** What was really done stands below the reply, or below the words that say why there is none. */
  #completed({ status, text, receipts = [] }: Fields<'turn-completed'>): void {
    const isReply = status === 'completed';
    const below = this.#options.doneBelow({ status, said: isReply ? text : this.#message, receipts });
    this.#replace(text);
    if (isReply) this.#reply += below;
    else this.#message += below;
    this.#end(stateByStatus[status]);
  }

  #replace(text: string): void {
    if (text === this.#reply) return;
    this.#reply = text;
    this.#replaced += 1;
  }

  #end(state: TaskState): void {
    if (!this.isOver) this.#enter(state);
  }

  #enter(state: TaskState): void {
    this.#state = state;
    this.#changedAt = this.#options.now();
    this.#options.onState(this);
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
    this.#waiting += 1;
    await Promise.race([this.#change.promise, aborted.promise]);
    this.#waiting -= 1;
    signal.removeEventListener('abort', onAbort);
  }
}

function artifact(text: string): Artifact {
  return {
    ...{ artifactId: replyId, name: replyId, description: '', parts: [textPart(text)], metadata: undefined },
    extensions: [],
  };
}
