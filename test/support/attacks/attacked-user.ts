import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { hubEventNames } from '../../../src/channels/shared/hub-event-names.ts';
import { openSse } from '../sse-client.ts';
import type { AttackedMessage } from './attacks.ts';

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

function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
