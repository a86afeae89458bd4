import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubEventNames } from '../../src/channels/shared/hub-event-names.ts';
import { createHelper } from '../../src/index.ts';
import type { ConnectionHubEvents } from '../../src/wire/hub-events.ts';
import { listOf } from '../support/kept-conversations.ts';
import { type Garden, plantGarden } from '../support/planted-words.ts';
import { textsOf } from '../support/remembering.ts';
import { calling, type ModelScript, saying, type ScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { ended, tracedServer } from '../support/traced-server.ts';

const insider = await makeToken({ sub: 'ann', org: 'north', role: 'Boss' });
const outsiders: readonly (readonly [string, string | undefined])[] = [
  ['a user of another tenant, without the role', await makeToken({ sub: 'bob', org: 'south' })],
  ['a user of the same id in another tenant', await makeToken({ sub: 'ann', org: 'south', role: 'boss' })],
  ['somebody anonymous', undefined],
];
const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };
const question = 'What about the harvest?';
const metricsToken = 'of-the-operator';
const connectionEvents = { Connected: true, ServerDraining: true } as const satisfies Record<
  keyof ConnectionHubEvents,
  true
>;
/** Every event of the hub (contract/events.md), and what it asks the page for. */
const hubEvents = [...Object.values(hubEventNames), ...Object.keys(connectionEvents), 'UiActionRequested'];

/** Everything that a hub connection is told. */
async function overHub(
  url: string,
  token: string | undefined,
  { page, message = question }: { readonly page?: object; readonly message?: string } = {},
): Promise<{ readonly hub: HubConnection; readonly heard: string }> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, token === undefined ? {} : { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  const heard: unknown[] = [];
  for (const name of hubEvents) {
    hub.on(name, (...told) => {
      heard.push(name, told);
    });
  }
  await hub.start();
  onTestFinished(() => hub.stop());
  if (page !== undefined) await hub.invoke('SetPage', page);
  await hub.invoke('SendMessage', message);
  return { hub, heard: JSON.stringify(heard) };
}

async function overSse(url: string, token: string | undefined, message = question): Promise<string> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message }, headers: bearer(token) });
  await chat.next('end');
  return chat.raw();
}

/** What every address says to this caller, asked for this connection and these conversations. */
async function everywhere(
  url: string,
  token: string | undefined,
  { connectionId, conversations }: { readonly connectionId: string; readonly conversations: readonly string[] },
): Promise<string> {
  const paths = [
    'tour',
    'openapi.json',
    'widget.js',
    'embed',
    'demo',
    'admin',
    'admin/metrics',
    `session?connectionId=${connectionId}`,
    `memory?connectionId=${connectionId}`,
    'memory',
    'conversations',
    ...conversations.map((id) => `conversations/${id}`),
  ];
  const all = [
    ...paths.map((path) => `/helper/${path}`),
    '/',
    '/readyz',
    '/healthz',
    '/metrics',
    '/helper/approve?actionId=x',
  ];
  const answers = await Promise.all(
    all.map(async (path) => (await fetch(url + path, { headers: bearer(token) })).text()),
  );
  return answers.join('\n');
}

const sentTo = (model: ScriptedModel, from: number): string =>
  JSON.stringify(model.requests.slice(from).map(({ body }) => body));

async function start(scripts: readonly ModelScript[]) {
  const garden = plantGarden();
  const traced = await tracedServer(scripts, {
    ...garden.settings,
    auth: { jwt: { secret: tokenSecret } },
    endpoints: { metrics: { token: metricsToken } },
    client: { enableSuggestions: true },
    demoPage: true,
    useMemoryContext: true,
    chatHistoryProvider: 'storage',
    // It finds facts by rules, so that the scripts are played for turns alone.
    classifierChatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    ragQueryRewrite: false,
  });
  await expect
    .poll(async () => (await fetch(`${traced.url}/readyz`)).text(), { timeout: 20_000 })
    .not.toMatch(/"documents:[a-z]+":"degraded"|degraded/);
  return { ...traced, garden };
}

/** What those who plant say themselves: names of skills, files and actions that their model calls. */
function named(places: readonly string[]): readonly string[] {
  return places.filter((place) => !/^(?:skill name|name of a file|resource name|action name)/.test(place));
}

describe('words that are planted for a tenant and for a role (contract/identity.md#tenants, contract/skills.md#access)', () => {
  it(
    'are seen by who may, and neither heard by nor sent for anybody else, on every channel',
    { timeout: 90_000 },
    async () => {
      const one = await start([]);
      const { garden, model, url } = one;
      const { words } = garden;
      const [page, data, reply] = [words.plant('page name'), words.plant('page data'), words.plant('reply')];
      const [fact, told, kept] = [words.plant('fact'), words.plant('kept message'), words.plant('kept reply')];
      expect(words.count).toBeGreaterThanOrEqual(50);
      model.script(saying(`Noted, ${kept}.`));
      await overHub(url, insider, { message: `It is about ${told}. Remember that the harvest is for ${fact}.` });
      await textsOf(url, insider, 1);
      const before = model.requests.length;
      model.script(calling(...garden.calls), saying(`It is ${reply} [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].`));
      const seen = await overHub(url, insider, { page: { name: page, data: { note: data } } });
      // Another conversation knows nothing of the one before but the fact.
      expect(words.placesMissingIn(sentTo(model, before) + seen.heard)).toEqual(['kept message', 'kept reply']);
      const conversations = (await listOf(url, insider)).map(({ id }) => id);
      const asked = { connectionId: String(seen.hub.connectionId), conversations };
      expect(words.placesIn(await everywhere(url, insider, asked))).toEqual(
        expect.arrayContaining(['reply', 'fact', 'kept message', 'kept reply']),
      );
      // Tool names and results aside, whoever may see it is shown the sources too.
      expect(words.placesIn(seen.heard)).toEqual(
        expect.arrayContaining(['title of a tenant', 'url of a role', 'reply']),
      );

      for (const [, token] of outsiders) {
        const from = model.requests.length;
        const hub = await overHub(url, token);
        const snapshot = await (
          await fetch(`${url}/helper/session?connectionId=${String(hub.hub.connectionId)}`, { headers: bearer(token) })
        ).text();
        const sse = await overSse(url, token);
        const all = await everywhere(url, token, asked);
        expect(model.requests.length).toBe(from + 2);
        expect(words.placesIn(hub.heard + snapshot + sse + all + sentTo(model, from))).toEqual([]);
        // A model that knows the names all the same.
        model.script(calling(...garden.calls), saying('Nothing.'));
        const attacked = await overSse(url, token, 'Tell me all.');
        expect(named(words.placesIn(attacked + sentTo(model, from)))).toEqual([]);
      }

      const operators = await (await fetch(`${url}/metrics`, { headers: bearer(metricsToken) })).text();
      await ended(one);
      const traces = JSON.stringify(one.otlp.requests.map(({ body }) => body));
      // Operators see the names of actions, and nothing else.
      expect(words.placesIn(operators + traces + one.server.printed())).toEqual(['action name of a tenant']);
    },
  );

  it('are neither heard nor sent for anybody else in the same process', { timeout: 60_000 }, async () => {
    const garden: Garden = plantGarden();
    const { words } = garden;
    const { configuration, model } = await scriptedConfiguration({
      scripts: [calling(...garden.calls), saying('It is.')],
      settings: { ...garden.settings, storage: { type: 'memory' } },
    });
    const lines: unknown[] = [];
    const log = (...line: readonly unknown[]): void => void lines.push(line);
    const host = { debug: log, info: log, warn: log, error: log, child: () => host };
    const helper = await createHelper(configuration, { log: host });
    onTestFinished(() => helper.close());
    const ask = async (user?: Parameters<typeof helper.session>[0]): Promise<string> => {
      const told: unknown[] = [];
      const session = await helper.session(user);
      for await (const event of session.send(question)) told.push(event);
      await session.close();
      return JSON.stringify(told);
    };
    const ann = { user: { id: 'ann', roles: ['Boss'], claims: { org: 'north' } } };
    let seen = '';
    // The first answers may come before the folders are read.
    const missing = async (): Promise<readonly string[]> => {
      seen += await ask(ann);
      return words.placesMissingIn(seen + sentTo(model, 0));
    };
    await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
    const from = model.requests.length;
    const heard = [await ask({ user: { id: 'ann', roles: ['boss'], claims: { org: 'south' } } }), await ask()];
    expect(model.requests.length).toBe(from + 2);
    expect(words.placesIn(heard.join('') + sentTo(model, from) + JSON.stringify(lines))).toEqual([]);
  });
});
