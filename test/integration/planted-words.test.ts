import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubEventNames } from '../../src/channels/shared/hub-event-names.ts';
import { createHelper } from '../../src/index.ts';
import type { ConnectionHubEvents } from '../../src/wire/hub-events.ts';
import { listOf } from '../support/kept-conversations.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { type Garden, plantGarden, type PlantedWords } from '../support/planted-words.ts';
import { finding, textsOf } from '../support/remembering.ts';
import { calling, saying, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
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
/** This text is so long that two copies are not sent with the next message. */
const long = 'What is to be done with it? '.repeat(20);
const numbers = Array.from({ length: 30 }, (_, index) => index + 1).join(', ');
const metricsToken = 'of-the-operator';
const connectionEvents = {
  ...{ Connected: true, HostedToolsReady: true },
  ...{ RemoteAgentStatusChanged: true, McpStatusChanged: true, ServerDraining: true },
} as const satisfies Record<keyof ConnectionHubEvents, true>;
/** Every event of the hub (contract/events.md), and what it asks the page for. */
const hubEvents = [...Object.values(hubEventNames), ...Object.keys(connectionEvents), 'UiActionRequested'];

/** Everything that a hub connection receives. */
async function overHub(
  url: string,
  token: string | undefined,
  { page, message = question }: { readonly page?: object; readonly message?: string } = {},
): Promise<{ readonly hub: HubConnection; readonly heard: () => string }> {
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
  return { hub, heard: () => JSON.stringify(heard) };
}

async function overSse(url: string, token: string | undefined, message = question): Promise<string> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message }, headers: bearer(token) });
  await chat.next('end');
  return chat.raw();
}

/** The answers of every address to this caller, for this connection and these conversations. */
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

/** The server's small model, and the words that it adds in facts, titles and summaries of an insider's conversation. */
interface Small {
  readonly model: ScriptedModel;
  readonly fact: string;
  readonly title: string;
  readonly summary: string;
}

/**
 * A small model that finds a fact, gives a title and writes a summary. When its request contains a planted word, each of the three contains
 * a new word.
 */
async function startSmall(words: PlantedWords): Promise<Small> {
  const [fact, title, summary] = ['fact', 'title of a conversation', 'summary'].map((place) => words.plant(place));
  const found = { fact: String(fact), title: String(title), summary: String(summary) };
  const model = await startScriptedModel({
    otherwise: (exchange) => {
      const asked = JSON.stringify(exchange.request.body);
      const isShown = words.placesIn(asked).length > 0;
      if (asked.includes('You keep the memory')) {
        const isNew = isShown && !asked.includes(found.fact);
        const fact = { kind: 'fact', text: `The harvest is for ${found.fact}.` };
        return saying(isNew ? finding(fact) : '{}')(exchange);
      }
      if (asked.includes('Give this conversation a title')) return saying(isShown ? found.title : 'Harvest')(exchange);
      if (asked.includes('You sum up')) return saying(isShown ? `About ${found.summary}.` : 'About it.')(exchange);
      return saying('{}')(exchange);
    },
  });
  onTestFinished(() => model.close());
  return { model, ...found };
}

/** A server with all planted words, a small model, and an embedding model. */
async function start() {
  const garden = await plantGarden();
  const [small, vectors] = [await startSmall(garden.words), await startEmbeddingServer()];
  const entry = { provider: 'openai', model: 'm', apiKey: 'none' };
  const traced = await tracedServer([], {
    ...garden.settings,
    auth: { jwt: { secret: tokenSecret } },
    endpoints: { metrics: { token: metricsToken } },
    client: { enableSuggestions: true },
    demoPage: true,
    useMemoryContext: true,
    chatHistoryProvider: 'storage',
    enableCompaction: true,
    compactionTokenThreshold: 100,
    compactionMaxTurns: 1,
    compactionSummary: true,
    classifierChatClient: 'small',
    embeddingGenerator: 'vectors',
    models: {
      small: { ...entry, baseUrl: small.model.url },
      vectors: { ...entry, kind: 'embeddings', baseUrl: vectors.url },
    },
  });
  await expect
    .poll(async () => (await fetch(`${traced.url}/readyz`)).text())
    .not.toMatch(/"documents:[a-z]+":"degraded"|degraded/);
  // Waits for the vectors of all texts in folders, so that none of these texts is sent later.
  const inFolders = ['tenant', 'role'].flatMap((owner) => [`body of a ${owner}`, `body in a source of a ${owner}`]);
  await expect
    .poll(() => garden.words.placesIn(vectors.texts().join('\n')))
    .toEqual(expect.arrayContaining([...inFolders, 'paragraph of a tenant', 'paragraph of a role']));
  return { ...traced, garden, small, vectors };
}

type Started = Awaited<ReturnType<typeof start>>;

/**
 * Records what is sent from now on to everything except the large model: to the small model, to the embedding model, to services and to
 * callbacks.
 */
function watchOthers({ garden, small, vectors }: Started): () => string {
  const services = [...garden.open, ...garden.closed];
  const sent = (): readonly (readonly string[])[] => [
    small.model.requests.map(({ body }) => JSON.stringify(body)),
    vectors.texts(),
    ...services.map(({ calls }) => calls.map(({ raw }) => raw)),
  ];
  const before = sent().map(({ length }) => length);
  return () =>
    sent()
      .flatMap((texts, index) => texts.slice(before[index]))
      .join('\n');
}

/** Waits until the small model has looked for facts in `count` messages. */
async function captured(url: string, count: number): Promise<void> {
  const outcomes = async (): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`, { headers: bearer(metricsToken) })).text();
    const counts = [...metrics.matchAll(/^helperagent_memory_captures_total\{.*\} (\d+)$/gm)];
    return counts.reduce((sum, [, each]) => sum + Number(each), 0);
  };
  await expect.poll(outcomes).toBe(count);
}

/** The places without the names of skills, files and actions. The attacked model itself says these names in its calls. */
function named(places: readonly string[]): readonly string[] {
  return places.filter((place) => !/^(?:skill name|name of a file|resource name|action name)/.test(place));
}

describe('words that are planted for a tenant and for a role (contract/identity.md#tenants, contract/skills.md#access)', () => {
  // proves configuration-7-62
  it('are seen by who may, and neither heard by nor sent for anybody else, on every channel', async () => {
    const one = await start();
    const { garden, model, url, small } = one;
    const { words } = garden;
    const [page, data, reply] = [words.plant('page name'), words.plant('page data'), words.plant('reply')];
    const [told, kept] = [words.plant('kept message'), words.plant('kept reply')];
    expect(words.count).toBeGreaterThanOrEqual(80);
    model.script(saying(`Noted, ${kept}.`));
    const first = await overHub(url, insider, { message: `It is about ${told}.` });
    await textsOf(url, insider, 1);
    for (const message of [long, `Again, ${long}`, 'And now?']) await first.hub.invoke('SendMessage', message);
    expect(words.placesIn(sentTo(model, model.requests.length - 1))).toContain('summary');
    const before = model.requests.length;
    model.script(calling(...garden.calls), saying(`It is ${reply} [${numbers}].`));
    const others = watchOthers(one);
    const seen = await overHub(url, insider, { page: { name: page, data: { note: data } } });
    // Another conversation gets only the fact from the earlier one.
    const ofAnother = ['title of a conversation', 'summary', 'kept message', 'kept reply'];
    expect(words.placesMissingIn(sentTo(model, before) + seen.heard()).toSorted()).toEqual(ofAnother.toSorted());
    expect(words.placesIn(others())).toEqual(expect.arrayContaining(['page name', 'page data']));
    for (const { posts } of garden.closed) expect(posts().length).toBeGreaterThan(0);
    await captured(url, 5);
    await expect.poll(async () => (await listOf(url, insider)).map(({ title }) => title)).toContain(small.title);
    const conversations = (await listOf(url, insider)).map(({ id }) => id);
    const asked = { connectionId: String(seen.hub.connectionId), conversations };
    expect(words.placesIn(await everywhere(url, insider, asked))).toEqual(
      expect.arrayContaining(['reply', 'fact', 'title of a conversation', 'kept message', 'kept reply']),
    );
    // A user who may see the documents is also shown them as sources.
    expect(words.placesIn(seen.heard())).toEqual(
      expect.arrayContaining(['title of a tenant', 'url of a role', 'reply']),
    );

    const ofOutsiders = watchOthers(one);
    const closed = garden.closed.map(({ posts }) => posts().length);
    for (const [, token] of outsiders) {
      const from = model.requests.length;
      const hub = await overHub(url, token);
      for (const message of [long, `Again, ${long}`, 'And now?']) await hub.hub.invoke('SendMessage', message);
      const snapshot = await (
        await fetch(`${url}/helper/session?connectionId=${String(hub.hub.connectionId)}`, { headers: bearer(token) })
      ).text();
      const sse = await overSse(url, token);
      const all = await everywhere(url, token, asked);
      expect(model.requests.length).toBe(from + 5);
      expect(sentTo(model, from)).toContain('About it.');
      expect(words.placesIn(hub.heard() + snapshot + sse + all + sentTo(model, from))).toEqual([]);
      // This model calls the names although nobody has told it.
      model.script(calling(...garden.calls), saying('Nothing.'));
      const attacked = await overSse(url, token, 'Tell me all.');
      expect(named(words.placesIn(attacked + sentTo(model, from)))).toEqual([]);
    }
    // These are the messages over the hub and over server-sent events. Without a hub connection an anonymous user has no memory.
    await captured(url, 5 + 6 + 6 + 4);
    expect(ofOutsiders()).toContain('Give this conversation a title');
    expect(words.placesIn(ofOutsiders())).toEqual([]);
    expect(garden.closed.map(({ posts }) => posts().length)).toEqual(closed);

    const operators = await (await fetch(`${url}/metrics`, { headers: bearer(metricsToken) })).text();
    await ended(one);
    const traces = JSON.stringify(one.otlp.requests.map(({ body }) => body));
    // Operators see the names of actions, and nothing else.
    expect(words.placesIn(operators + traces + one.server.printed())).toEqual(['action name of a tenant']);
  });

  // proves configuration-7-62
  it('are neither heard nor sent for anybody else in the same process', async () => {
    const garden: Garden = await plantGarden();
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
    await expect.poll(missing).toEqual([]);
    const from = model.requests.length;
    const heard = [await ask({ user: { id: 'ann', roles: ['boss'], claims: { org: 'south' } } }), await ask()];
    expect(model.requests.length).toBe(from + 2);
    expect(words.placesIn(heard.join('') + sentTo(model, from) + JSON.stringify(lines))).toEqual([]);
  });
});
