import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ContextExceeded } from '../../src/core/ports/context-exceeded.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { turnOf, words } from '../support/histories.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings as settings, OpenedModels } from '../support/opened-models.ts';
import {
  chunk,
  ending,
  failing,
  type ModelScript,
  saying,
  type ScriptedModel,
  sending,
} from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { loadText } from '../unit/config/load-from-text.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const long = [...turnOf(400, []), ...turnOf(400, []), ...turnOf(20, [], { isOpen: true })];
const request = modelRequest({ messages: long });
const window = { contextWindow: 800, maxOutputTokens: 100 };

/** Sends three messages that are too long together. */
async function converse(url: string): Promise<void> {
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  for (const text of ['one', 'two', 'three']) {
    client.call('SendMessage', text, `${text} ${words(60)}`);
    expect(await client.result(text)).toMatchObject({ status: 'completed' });
  }
}

/** How many messages each request had, the instructions left out. */
const sentTo = ({ requests }: ScriptedModel): readonly number[] =>
  requests.map(({ body }) => (body['messages'] as readonly unknown[]).length - 1); // OpenAI's protocol has a list here

describe('the context window of a model (contract/models.md#the-context-window)', () => {
  // proves configuration-3-60
  it('is 128,000 tokens unless set: this conversation is sent whole', async () => {
    const scripted = await models.server(saying('ok'));
    await (await models.openOn(scripted)).run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([5]);
    expect(models.logged).toEqual([]);
  });

  // proves configuration-3-60
  it('is never exceeded: older turns are left out, which the log says', async () => {
    const scripted = await models.server(saying('ok'));
    await (await models.openOn(scripted, window)).run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([3]);
    expect(models.logged).toMatchObject([{ model: 'scripted', messages: 3 }]);
  });

  // proves configuration-3-68
  it('is estimated by the usage that the model reports', async () => {
    const usage = { prompt_tokens: 5000, completion_tokens: 5 };
    const heavy = sending(chunk({ content: 'ok' }), ending('stop', usage));
    const scripted = await models.server(heavy, saying('ok'));
    const model = await models.openOn(scripted, { ...window, contextWindow: 1100 });
    for (const _time of [1, 2]) await model.run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([5, 3]);
  });

  // proves configuration-3-67
  it('of a fallback may be smaller: each is sent what fits its own', async () => {
    const [first, second] = [await models.server(failing(400)), await models.server(saying('ok'))];
    const model = await models.open({
      main: settings({ baseUrl: first.url, fallbacks: ['small'] }),
      small: settings({ baseUrl: second.url, ...window }),
    });
    await model.run(request, new CollectedText());
    expect([sentTo(first), sentTo(second)]).toEqual([[5], [3]]);
  });

  // proves configuration-3-67
  it('that is too small for the turn passes it to a fallback, uncalled and uncounted', async () => {
    const [first, second] = [await models.server(), await models.server(saying('ok'))];
    const model = await models.open({
      main: settings({ baseUrl: first.url, ...window, contextWindow: 120, fallbacks: ['large'] }),
      large: settings({ baseUrl: second.url, model: 'large' }),
    });
    await model.run(request, new CollectedText());
    expect(first.requests).toEqual([]);
    expect(models.counted.map(({ model: name }) => name)).toEqual(['large']);
  });

  // proves configuration-3-67
  it('that is too small in every model says so, unless a larger one has failed', async () => {
    const scripted = await models.server(failing(400));
    const tiny = settings({ baseUrl: scripted.url, maxOutputTokens: 100, contextWindow: 120 });
    const alone = await models.open({ main: { ...tiny, fallbacks: ['other'] }, other: tiny });
    await expect(alone.run(request, new CollectedText())).rejects.toThrow(ContextExceeded);
    const beside = await models.open({ main: settings({ baseUrl: scripted.url, fallbacks: ['tiny'] }), tiny });
    await expect(beside.run(request, new CollectedText())).rejects.toMatchObject({ code: 'model_misconfigured' });
    expect(scripted.requests).toHaveLength(1);
  });
});

describe('long conversations of a whole server (docs/guides/models.md)', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/models.md'), 'utf8');
  const [, section = ''] = guide.split('## Long conversations\n');
  const [windows = '', compaction = ''] = [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml);

  // proves configuration-3-65
  it('refuses a message over the window of its model, in the language of the server', async () => {
    const settings = { actions: 'none', language: 'German', maxMessageLength: 0 };
    const overrides = { HELPER__MODELS__MAIN__CONTEXTWINDOW: '1000' };
    const { url, model } = await scriptedServer({ scripts: [], settings, overrides });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: words(2000) } });
    expect((await chat.next('failure')).data).toMatchObject({
      code: 'message_too_long',
      message: 'Die Nachricht ist mit dem, was dazugehört, zu lang für den Assistenten. Bitte kürzen Sie sie.',
    });
    expect(model.requests).toEqual([]);
  });

  it('takes the windows of the guide', () => {
    const environment = { OPENAI_API_KEY: 'sk-example' };
    const { settings: loaded, faults } = loadText(`appName: Desk\nactions: none\n${windows}`, { environment });
    expect(faults).toEqual([]);
    expect(Object.values(loaded?.models ?? {}).map(({ contextWindow }) => contextWindow)).toEqual([400_000, 32_000]);
  });

  // proves service-2.9-66
  it('are summed up by the small model of a whole server, and never by the demo model', async () => {
    const compaction = {
      enableCompaction: true,
      compactionSummary: true,
      compactionTokenThreshold: 100,
      compactionMaxTurns: 1,
    };
    const settings = { actions: 'none', ...compaction };
    const sums: ModelScript = saying('They spoke of doors.');
    const { url, model } = await scriptedServer({
      scripts: [saying('ok'), saying('ok'), sums, saying('ok')],
      settings,
    });
    await converse(url);
    expect(JSON.stringify(model.requests[3]?.body['messages'])).toContain('They spoke of doors.');
    const demo = await scriptedServer({
      scripts: [],
      settings: { ...settings, classifierChatClient: 'demo' },
      overrides: { HELPER__MODELS__DEMO__PROVIDER: 'demo' },
    });
    await converse(demo.url);
    expect(JSON.stringify(demo.model.requests.at(-1)?.body['messages'])).not.toContain('earlier conversation');
  });

  it('answers with the compaction of the guide', async () => {
    const given = parse(compaction) as object; // the guide has a mapping
    const { url } = await scriptedServer({ scripts: [saying('Fine.')], settings: { actions: 'none', ...given } });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'hello' } });
    await chat.next('end');
    expect(chat.frames.some(({ event }) => event === 'failure')).toBe(false);
    expect(given).toEqual({ enableCompaction: true, compactionTokenThreshold: 4000, compactionMaxTurns: 8 });
  });
});
