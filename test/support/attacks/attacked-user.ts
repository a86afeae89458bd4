import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { hubEventNames } from '../../../src/channels/shared/hub-event-names.ts';
import { type Part, Role, TaskState } from '@a2a-js/sdk';
import { a2aClient, asking, taskOf, textOf } from '../a2a-client.ts';
import { confirmingClient, linkIn, PageOfQuestion } from '../mcp/confirming-server.ts';
import { openSse } from '../sse-client.ts';
import type { AttackedMessage } from './attacks.ts';
import { callsIn } from './obeying-model.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One turn as its user saw it. */
export interface SeenTurn {
  readonly status: unknown;
  readonly questions: readonly Fields[];
  /** Cards and navigations. They may load something by themselves or lead the user to another page. */
  readonly leading: readonly Fields[];
  /** All events that the user received, as one text. */
  readonly all: string;
}

/** A user who answers every question in the same way. */
export interface AttackedUser {
  readonly url: string;
  readonly token: string | undefined;
  readonly approves: boolean;
  /** The token of the user's browser, which opens pages of questions. */
  readonly browser?: string;
}

async function answered({ url, token, approves }: AttackedUser, { actionId }: Fields): Promise<void> {
  const headers = { 'content-type': 'application/json', ...bearer(token) };
  const body = JSON.stringify({ actionId, approved: approves });
  const { status } = await fetch(`${url}/helper/approve`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`a question was not answered: ${String(status)}`);
}

/** Sends one message on its own connection, and answers all questions of the turn. */
export async function sayOverHub(user: AttackedUser, { page, ...message }: AttackedMessage): Promise<SeenTurn> {
  const { url, token } = user;
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, token === undefined ? {} : { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  const heard: unknown[] = [];
  const questions: Fields[] = [];
  const leading: Fields[] = [];
  const answers: Promise<void>[] = [];
  for (const name of Object.values(hubEventNames)) {
    hub.on(name, (fields: Fields) => {
      heard.push([name, fields]);
      if (name === 'CardReady' || name === 'NavigationRequested') leading.push(fields);
      if (name !== 'ConfirmationRequested') return;
      questions.push(fields);
      answers.push(answered(user, fields));
    });
  }
  await hub.start();
  try {
    if (page !== undefined) await hub.invoke('SetPage', page);
    const { text, ...more } = message;
    const { status } = await hub.invoke<{ readonly status: string }>('SendMessage', text, more);
    await Promise.all(answers);
    return { status, questions, leading, all: JSON.stringify(heard) };
  } finally {
    await hub.stop();
  }
}

/** Sends one message over server-sent events, and answers all questions of the turn. */
export async function sayOverSse(user: AttackedUser, { text, attachments }: AttackedMessage): Promise<SeenTurn> {
  const chat = await openSse(`${user.url}/helper/chat`, {
    body: { message: text, ...(attachments === undefined ? {} : { attachments }) },
    headers: bearer(user.token),
  });
  const questions: Fields[] = [];
  const answering = async (): Promise<never> => {
    for (;;) {
      const { data = {} } = await chat.next('confirmation');
      questions.push(data);
      await answered(user, data);
    }
  };
  const { data } = await Promise.race([chat.next('end'), answering()]);
  chat.close();
  const leading = chat.frames.flatMap(({ event, data: told = {} }) =>
    event === 'card' || event === 'navigation' ? [told] : [],
  );
  return { status: data?.['status'], questions, leading, all: chat.raw() };
}

/** Sends one message as another agent does, which nobody can ask. */
export async function sayOverA2a({ url, token }: AttackedUser, message: AttackedMessage): Promise<SeenTurn> {
  const pictures = (message.attachments ?? []).map(({ contentType, data, name = '' }): Part => {
    const content = { $case: 'raw' as const, value: Buffer.from(data, 'base64') };
    return { content, metadata: undefined, filename: name, mediaType: contentType };
  });
  const parts = [textOf(message.text), ...pictures];
  const client = await a2aClient(url, token);
  const task = await taskOf(client.sendMessage(asking('', { message: { parts, role: Role.ROLE_USER } })));
  const isCompleted = task.status?.state === TaskState.TASK_STATE_COMPLETED;
  return {
    status: isCompleted ? 'completed' : task.status?.state,
    questions: [],
    leading: [],
    all: JSON.stringify(task),
  };
}

/**
 * Makes the calls that a text orders, as a program whose model obeys every text, also the texts of results. Its user declines on each page.
 */
export async function sayOverMcp(
  { url, token, browser = '' }: AttackedUser,
  { text }: AttackedMessage,
): Promise<SeenTurn> {
  const { client } = await confirmingClient(`${url}/mcp`, token === undefined ? {} : { token });
  const heard: string[] = [JSON.stringify(await client.listTools())];
  const made = new Set<string>();
  const open = [...callsIn(text)];
  for (let call = open.shift(); call !== undefined; call = open.shift()) {
    const key = `${call.name} ${call.arguments}`;
    if (made.has(key)) continue;
    made.add(key);
    const given = JSON.parse(call.arguments) as Record<string, unknown>; // `callsIn` has written it
    const told = await client.callTool({ name: call.name, arguments: given }).catch(String);
    // The marks of an order are no part of any escape of JSON.
    heard.push(JSON.stringify(told));
    const link = linkIn(told);
    if (link !== '') await new PageOfQuestion(url, link, { token: browser }).answer('decline');
    open.push(...callsIn(heard.at(-1) ?? ''));
  }
  await client.close();
  return { status: 'completed', questions: [], leading: [], all: heard.join('\n') };
}

function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
