import { setTimeout as wait } from 'node:timers/promises';
import { type Message, type Part, Role, type SendMessageRequest } from '@a2a-js/sdk';
import type { RequestOptions } from '@a2a-js/sdk/client';
import type { RemoteRequest, RemoteThread } from '../../core/ports/remote-agent.ts';
import { NoReply, noReplyOf } from './no-reply.ts';
import type { Patience } from './patience.ts';
import type { RemoteCard } from './read-card.ts';
import type { RemoteLimits } from './remote-limits.ts';
import { isOver, type RemoteTask } from './remote-task.ts';

/** One message on its way to a remote agent. */
export interface Exchange {
  readonly card: RemoteCard;
  readonly request: RemoteRequest;
  readonly patience: Patience;
  readonly limits: Pick<RemoteLimits, 'pollMs' | 'streamEvents'>;
}

/**
 * Sends a message and follows the task until it ends or asks back. Puts what the agent says into `task`.
 * @throws NoReply, and errors of the SDK (`noReplyOf`).
 */
export async function converse(exchange: Exchange, task: RemoteTask): Promise<void> {
  const message = messageOf(exchange.request, await threadOf(exchange, task));
  if (exchange.card.isStreaming) await readStream(exchange, task, message);
  else await sendOnce(exchange, task, message);
  await poll(exchange, task);
}

/** The options of each request of an exchange. */
export function optionsOf(signal: AbortSignal, traceparent: string | undefined): RequestOptions {
  return { signal, ...(traceparent === undefined ? {} : { serviceParameters: { traceparent } }) };
}

/**
 * Where the conversation goes on. A task holds the texts of its earlier replies, which are not told again. A task that has ended takes no
 * message any more: the conversation then goes on in a new task.
 */
async function threadOf({ card, request, patience }: Exchange, task: RemoteTask): Promise<RemoteThread | undefined> {
  const { thread, traceparent } = request;
  if (thread?.taskId === undefined) return thread;
  const { contextId } = thread;
  try {
    const known = await card.client.getTask(
      { tenant: '', id: thread.taskId, historyLength: 0 },
      optionsOf(patience.signal, traceparent),
    );
    patience.heard();
    if (isOver(known.status)) return { contextId };
    task.recall(known);
    return thread;
  } catch (error) {
    if (noReplyOf(error).kind !== 'answer') throw error;
    return { contextId };
  }
}

async function sendOnce(
  { card, request, patience }: Exchange,
  task: RemoteTask,
  message: SendMessageRequest,
): Promise<void> {
  const result = await card.client.sendMessage(message, optionsOf(patience.signal, request.traceparent));
  patience.heard();
  task.take('messageId' in result ? { $case: 'message', value: result } : { $case: 'task', value: result });
}

/** Reads the events of a reply. Where the connection breaks while a task runs, the task is asked about afterwards. */
async function readStream(
  { card, request, patience, limits }: Exchange,
  task: RemoteTask,
  message: SendMessageRequest,
): Promise<void> {
  let events = 0;
  try {
    for await (const { payload } of card.client.sendMessageStream(
      message,
      optionsOf(patience.signal, request.traceparent),
    )) {
      patience.heard();
      events += 1;
      if (events > limits.streamEvents) throw new NoReply('outage', 'sent more events than the server reads');
      task.take(payload);
      if (task.isEnded) return;
    }
  } catch (error) {
    const goesOn = noReplyOf(error).kind === 'broken' && task.isRunning && !patience.signal.aborted;
    if (!goesOn) throw error;
  }
}

/** Asks about a task until it has ended. */
async function poll({ card, request, patience, limits }: Exchange, task: RemoteTask): Promise<void> {
  for (let pause = limits.pollMs.first; !task.isEnded; pause = Math.min(limits.pollMs.last, pause * 1.5)) {
    if (task.id === undefined) throw new NoReply('outage', 'ended its answer without a reply');
    await wait(pause, undefined, { signal: patience.signal });
    const known = await card.client.getTask(
      { tenant: '', id: task.id, historyLength: 0 },
      optionsOf(patience.signal, request.traceparent),
    );
    patience.heard();
    task.take({ $case: 'task', value: known });
  }
}

function messageOf(
  { text, images = [], messageId }: Exchange['request'],
  thread: RemoteThread | undefined,
): SendMessageRequest {
  const message: Message = {
    messageId,
    contextId: thread?.contextId ?? '',
    taskId: thread?.taskId ?? '',
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' },
      ...images.map(({ name, mediaType, data }): Part => {
        const value = Buffer.from(data, 'base64');
        return { content: { $case: 'raw', value }, metadata: undefined, filename: name, mediaType };
      }),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}
