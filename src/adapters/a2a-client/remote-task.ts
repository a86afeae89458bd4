import { type StreamResponse, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import type { RemoteReply, RemoteThread } from '../../core/ports/remote-agent.ts';
import { NoReply } from './no-reply.ts';
import type { ReplyText } from './reply-text.ts';

/** What one message to a remote agent has brought so far. */
export class RemoteTask {
  readonly text: ReplyText;
  readonly #idLength: number;
  #contextId = '';
  #taskId = '';
  #end: 'completed' | 'asks-back' | undefined;

  constructor(text: ReplyText, idLength: number) {
    this.text = text;
    this.#idLength = idLength;
  }

  /** The id of the task, once the agent has begun one. */
  get id(): string | undefined {
    return this.#taskId === '' ? undefined : this.#taskId;
  }

  /** Whether nothing more is to be read. */
  get isEnded(): boolean {
    return this.#end !== undefined || this.text.isFull;
  }

  /** Whether the agent still works on the task. */
  get isRunning(): boolean {
    return this.id !== undefined && this.#end === undefined;
  }

  get reply(): RemoteReply {
    const asksBack = this.#end === 'asks-back';
    const thread = this.#threadFrom(asksBack);
    return { text: this.text.whole, asksBack, ...(thread === undefined ? {} : { thread }) };
  }

  /** Takes the texts of a task as told before, because they belong to an earlier reply. */
  recall({ artifacts, status }: Task): void {
    for (const artifact of artifacts) this.text.recall(artifact);
    if (status?.message !== undefined) this.text.recall(status.message);
  }

  /** @throws NoReply where the task ends without a reply. */
  take(payload: StreamResponse['payload']): void {
    switch (payload?.$case) {
      case 'message':
        this.#belongsTo('', payload.value.contextId);
        this.text.message(payload.value);
        this.#end = 'completed';
        return;
      case 'task':
        this.#takeTask(payload.value);
        return;
      case 'artifactUpdate': {
        const { taskId, contextId, artifact, append } = payload.value;
        this.#belongsTo(taskId, contextId);
        if (artifact !== undefined) this.text.artifact(artifact, append);
        return;
      }
      case 'statusUpdate':
        this.#belongsTo(payload.value.taskId, payload.value.contextId);
        this.#takeStatus(payload.value.status);
        return;
      case undefined:
        return;
    }
  }

  #takeTask({ id, contextId, artifacts, status }: Task): void {
    this.#belongsTo(id, contextId);
    this.#refuseEndless(status);
    for (const artifact of artifacts) this.text.artifact(artifact, false);
    this.#takeStatus(status);
  }

  #takeStatus(status: TaskStatus | undefined): void {
    this.#refuseEndless(status);
    if (status?.message !== undefined) this.text.message(status.message);
    if (status?.state === TaskState.TASK_STATE_COMPLETED) this.#end = 'completed';
    if (status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) this.#end = 'asks-back';
  }

  /** The states in which a task ends without a reply. */
  #refuseEndless(status: TaskStatus | undefined): void {
    const fault = faultOfState(status?.state);
    if (fault === undefined) return;
    if (isOver(status)) this.#end = 'completed';
    throw new NoReply('answer', fault);
  }

  #belongsTo(taskId: string, contextId: string): void {
    if (taskId.length > this.#idLength || contextId.length > this.#idLength) {
      throw new NoReply('outage', 'gave an id that is too long');
    }
    if (taskId !== '') this.#taskId = taskId;
    if (contextId !== '') this.#contextId = contextId;
  }

  #threadFrom(asksBack: boolean): RemoteThread | undefined {
    if (this.#contextId === '') return undefined;
    return { contextId: this.#contextId, ...(asksBack && this.#taskId !== '' ? { taskId: this.#taskId } : {}) };
  }
}

function faultOfState(state: TaskState | undefined): string | undefined {
  switch (state) {
    case TaskState.TASK_STATE_FAILED:
      return 'failed at the task';
    case TaskState.TASK_STATE_REJECTED:
      return 'rejected the task';
    case TaskState.TASK_STATE_CANCELED:
      return 'cancelled the task';
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return 'wants a sign-in that this server cannot give';
    case TaskState.TASK_STATE_SUBMITTED:
    case TaskState.TASK_STATE_WORKING:
    case TaskState.TASK_STATE_INPUT_REQUIRED:
    case TaskState.TASK_STATE_COMPLETED:
    case TaskState.TASK_STATE_UNSPECIFIED:
    case TaskState.UNRECOGNIZED:
    case undefined:
      return undefined;
  }
}

/** Whether a task in this state takes no message any more. */
export function isOver(status: TaskStatus | undefined): boolean {
  const { TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_REJECTED, TASK_STATE_CANCELED } = TaskState;
  const over: readonly (TaskState | undefined)[] = [
    ...[TASK_STATE_COMPLETED, TASK_STATE_FAILED],
    ...[TASK_STATE_REJECTED, TASK_STATE_CANCELED],
  ];
  return over.includes(status?.state);
}
