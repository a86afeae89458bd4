import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { expect, onTestFinished, vi } from 'vitest';
import type { RememberedFacts } from '../../src/wire/memory-bodies.ts';
import { openSse } from './sse-client.ts';

export type Facts = RememberedFacts['facts'];

export const bearer = (token: string): { readonly authorization: string } => ({ authorization: `Bearer ${token}` });

/** The answer of a model that has found these facts in a message. */
export const finding = (...add: readonly object[]): string => JSON.stringify({ add, update: [], delete: [] });

/** Sends one message over server-sent events. Resolves with the data of the last event. */
export async function say(url: string, message: string, token?: string): Promise<Readonly<Record<string, unknown>>> {
  const chat = await openSse(`${url}/helper/chat`, {
    body: { message },
    ...(token === undefined ? {} : { headers: bearer(token) }),
  });
  return (await chat.next('end')).data ?? {};
}

/** What is remembered about a user. */
export async function factsOf(url: string, token: string): Promise<Facts> {
  const answer = await fetch(`${url}/helper/memory`, { headers: bearer(token) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as RememberedFacts).facts;
}

/** The texts that are remembered about a user, once there are `count`. */
export function textsOf(url: string, token: string, count: number): Promise<readonly string[]> {
  return vi.waitFor(
    async () => {
      const texts = (await factsOf(url, token)).map(({ text }) => text);
      expect(texts).toHaveLength(count);
      return texts;
    },
    { interval: 20 },
  );
}

/** A connection of the hub, for the user of a token or for nobody. It ends with the test. */
export async function hubOf(url: string, token?: string): Promise<HubConnection> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, token === undefined ? {} : { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}
