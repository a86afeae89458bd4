import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { onTestFinished } from 'vitest';

/** The header of a user's token. */
export function bearer(token: string | undefined): { readonly authorization: string } {
  return { authorization: `Bearer ${String(token)}` };
}

/** A hub connection of the official client, which ends with the test. */
export async function connectAs(url: string, token: string | undefined): Promise<HubConnection> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, token === undefined ? {} : { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

/** A request about kept conversations, and its answer. */
export async function asUser(
  url: string,
  token: string | undefined,
  { method = 'GET', body }: { readonly method?: string; readonly body?: object } = {},
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : bearer(token)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // an answer that is no JSON object makes the test fail
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>) };
}

/** A conversation as `GET /helper/conversations` lists it. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly startedAt: string;
  readonly lastAt: string;
}

/** The user's conversations, as the server lists them. */
export async function listOf(url: string, token: string | undefined, query = ''): Promise<readonly Listed[]> {
  const { body } = await asUser(`${url}/helper/conversations${query}`, token);
  return body['conversations'] as readonly Listed[]; // the test checks the content
}
