import { type Artifact, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';

type Sent = Parameters<Client['sendMessage']>[0];

/** The official client, as its own documentation makes it. With a token it sends the header `Authorization`. */
export function a2aClient(url: string, token?: string): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(url);
}

export function textOf(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

/** A message of a user. */
export function asking(
  text: string,
  more: {
    readonly message?: Partial<Message>;
    readonly configuration?: Partial<NonNullable<Sent['configuration']>>;
  } = {},
): Sent {
  const message: Message = {
    ...{ messageId: crypto.randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, parts: [textOf(text)] },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [], ...more.message },
  };
  const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false };
  return { message, tenant: '', metadata: undefined, configuration: { ...configuration, ...more.configuration } };
}

/** Asks for all tasks of the caller. */
export const everyTask: Parameters<Client['listTasks']>[0] = {
  ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: '' },
  statusTimestampAfter: undefined,
};

/** The task that a message led to. */
export async function taskOf(answer: Promise<Message | Task>): Promise<Task> {
  const task = await answer;
  if ('messageId' in task) throw new Error('the answer is a message');
  return task;
}

/** The reply in a task. */
export function replyOf({ artifacts }: Pick<Task, 'artifacts'>): string {
  return artifacts.map(textOfArtifact).join('');
}

function textOfArtifact({ parts }: Pick<Artifact, 'parts'>): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

/** What the server itself says of a task. */
export function wordsOf({ status }: Pick<Task, 'status'>): string {
  return textOfArtifact({ parts: status?.message?.parts ?? [] });
}

export interface ReadStream {
  /** The first event, which is the task as it was. */
  readonly first: Task;
  /** The reply as a client puts it together. */
  readonly reply: string;
  /** The states that were told, the first task's included. */
  readonly states: readonly (number | undefined)[];
}

/** Reads a stream to its end. */
export async function readStream(stream: AsyncIterable<StreamResponse>): Promise<ReadStream> {
  let first: Task | undefined;
  let reply = '';
  const states: (number | undefined)[] = [];
  for await (const { payload } of stream) {
    if (payload?.$case === 'task') {
      first = payload.value;
      reply = replyOf(payload.value);
      states.push(payload.value.status?.state);
    } else if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
    else if (payload?.$case === 'artifactUpdate') {
      const text = payload.value.artifact === undefined ? '' : textOfArtifact(payload.value.artifact);
      reply = payload.value.append ? reply + text : text;
    }
  }
  if (first === undefined) throw new Error('the stream had no task');
  return { first, reply, states };
}

/** Posts a text to the endpoint, as a client without a library does. */
export function posting(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
