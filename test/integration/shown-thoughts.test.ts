import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { AgUiAgent, customIn, eventsOf, posting, typesIn } from '../support/agui-agent.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { modelBounds, OpenedModels } from '../support/opened-models.ts';
import { PackageChat, type PackageScript } from '../support/package-chat.ts';
import { providerWires, thought } from '../support/providers/wires.ts';
import { completed, created, responseEvents, textDelta } from '../support/responses-model.ts';
import { calling, chunk, ending, failing, type ModelScript, saying, sending } from '../support/scripted-model.ts';
import { type ScriptedOptions, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';
import { tokenSecret } from '../support/tokens.ts';
import { serverWithSmall } from '../support/small-questions.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const shown = { showThinking: 'summary' } as const satisfies Partial<ModelSettings>;
const bounds = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
const thinking = (text: string, ...more: readonly string[]): ModelScript =>
  sending(chunk({ reasoning_content: text }), ...more.map((content) => chunk({ content })), ending());

/** The frames of one turn with two tools that read. */
async function framesOf(model: ChatModel) {
  const toolList = ['get_order', 'get_price'].map((name) => fakeTool({ name, readOnly: true }));
  const { url } = await testHttp({ model, toolList });
  return chat(url);
}

async function chat(url: string) {
  const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is it?' } });
  await stream.closed;
  const thoughts = stream.frames.filter(({ event }) => event === 'thought').map(({ data }) => data);
  return { frames: stream.frames, names: stream.frames.map(({ event }) => event), thoughts, text: stream.text() };
}

const said = (text: string): object => ({ text, agent: 'coordinator' });

async function openPackage(...scripts: readonly PackageScript[]): Promise<ChatModel> {
  return models.open({ main: { ...bounds, ...shown, plugin: 'mine' } }, { mine: new PackageChat(...scripts) });
}

const readable = Object.keys(providerWires).filter((name) => !['openai', 'azure', 'google'].includes(name));

describe('a thought that is shown (contract/models.md#shown-thoughts)', () => {
  // proves service-3-81, service-3-82
  it.each(readable)('comes once before the calls of a reply: %s', async (name) => {
    const { model } = (await providerWires[name]?.open(models, ['thinks and calls', 'says'], shown)) ?? {};
    const { thoughts, names, text } = await framesOf(model as ChatModel); // the name is one of the table's
    expect(thoughts).toMatchObject([said(thought)]);
    expect(names.indexOf('thought')).toBeLessThan(names.indexOf('text'));
    expect(text).toBe('It has left.');
  });

  // proves service-3-81
  it.each(readable)('is not told unless the entry says so: %s', async (name) => {
    const { model } = (await providerWires[name]?.open(models, ['thinks and calls', 'says'])) ?? {};
    const { thoughts, frames } = await framesOf(model as ChatModel); // as above
    expect(thoughts).toEqual([]);
    expect(JSON.stringify(frames)).not.toContain(thought);
  });

  // proves service-3-82
  it.each<readonly [string, ModelScript]>([
    ['in the text', sending(chunk({ content: '<think>First\nthis.' }), chunk({ content: '</think>\n\nHi' }), ending())],
    [
      'under two names',
      sending(chunk({ reasoning: 'First\nthis.', reasoning_content: 'First\nthis.', content: 'Hi' }), ending()),
    ],
    [
      'in pieces',
      sending(chunk({ reasoning: 'First' }), chunk({ reasoning: '\nthis.' }), chunk({ content: 'Hi' }), ending()),
    ],
    [
      'after the text as well',
      sending(chunk({ reasoning: 'First\nthis.' }), chunk({ content: 'Hi' }), chunk({ reasoning: 'Done.' }), ending()),
    ],
  ])('is read where it stands %s', async (_title, script) => {
    const { thoughts, text, names } = await framesOf(await models.openOn(await models.server(script), shown));
    expect(thoughts).toMatchObject([said('First\nthis.')]);
    expect(text).toBe('Hi');
    expect(names.indexOf('thought')).toBeLessThan(names.indexOf('text'));
  });

  // proves service-3-82, configuration-3-86
  it('without its opening tag is told once it was taken back', async () => {
    const script = sending(chunk({ content: 'First this.' }), chunk({ content: '</think>Hi' }), ending());
    const { thoughts, frames } = await framesOf(await models.openOn(await models.server(script), shown));
    expect(thoughts).toMatchObject([said('First this.')]);
    expect(frames.at(-1)?.data).toMatchObject({ text: 'Hi' });
  });

  // proves service-3-82
  it('is the summary of the Responses API, in paragraphs', async () => {
    const part = (index: number, delta: string): readonly object[] => [
      {
        type: 'response.reasoning_summary_part.added',
        output_index: 0,
        summary_index: index,
        part: { type: 'summary_text', text: '' },
      },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: index, delta },
    ];
    const events = [
      created('r1'),
      ...part(0, 'First this.'),
      ...part(1, 'Then that.'),
      textDelta('Hi'),
      completed('r1'),
    ];
    const server = await models.server(responseEvents(...(events as { [name: string]: unknown }[]))); // all are objects
    const model = await models.openOn(server, { api: 'responses', ...shown });
    expect((await framesOf(model)).thoughts).toMatchObject([said('First this.\n\nThen that.')]);
  });

  // proves service-3-82
  it.each<readonly [string, object, readonly object[]]>([
    ['of Gemini', { type: 'thinking', thinking: 'First this.', signature: 'sig' }, [said('First this.')]],
    ['of a package with its own member', { type: 'reasoning', reasoning: 'First this.' }, [said('First this.')]],
    ['that is sealed', { type: 'redacted_thinking', data: 'First this.' }, []],
    ['that Amazon has sealed', { type: 'reasoning_content', redactedContent: 'First this.' }, []],
  ])('over a package is what can be read %s', async (_title, block, expected) => {
    const model = await openPackage([{ content: [block as { type: string }] }, { content: 'Hi' }]); // each has a type
    const { thoughts, frames } = await framesOf(model);
    expect(thoughts).toMatchObject(expected);
    expect(JSON.stringify(frames).includes('First this.')).toBe(expected.length > 0);
  });

  // proves service-3-82
  it('is cut at 16 KiB, and no character in two', async () => {
    const long = 'a' + '€'.repeat(20_000);
    const { thoughts } = await framesOf(await models.openOn(await models.server(thinking(long, 'Hi')), shown));
    const [{ text }] = thoughts as [{ readonly text: string }]; // there is one
    expect(Buffer.byteLength(text)).toBeGreaterThan(16 * 1024 - 4);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
    expect(text).toMatch(/^a€+…$/);
  });

  // proves service-3-81
  it('is that of the model that answers, not of one that has failed before', async () => {
    const first = await models.server(sending(chunk({ reasoning: 'In vain.' })), failing(500));
    const second = await models.server(thinking('First this.', 'Hi'));
    const entry = (baseUrl: string): ModelSettings => ({
      ...bounds,
      ...shown,
      provider: 'openai',
      model: 'm',
      apiKey: 'k',
      baseUrl,
    });
    const model = await models.open({ main: { ...entry(first.url), fallbacks: ['other'] }, other: entry(second.url) });
    expect((await framesOf(model)).thoughts).toMatchObject([said('First this.')]);
  });
});

const deciding = sending(chunk({ reasoning_content: 'Secret plan.' }), chunk({ content: 'Hello.' }), ending());
const start = (options: Partial<ScriptedOptions> = {}) =>
  scriptedServer({ scripts: [deciding], entry: shown, ...options });

describe('a thought on the wires (contract/events.md#members)', () => {
  // proves service-3-81, wire-2-05
  it('is an event of the hub before the text, with its number, and no part of the reply', async () => {
    const { url } = await start();
    const { connection, events } = await officialClient(`${url}/helper-hub`);
    await connection.invoke('SendMessage', 'Hi');
    const told = events.filter(({ name }) => !['Connected', 'AgentActivity'].includes(name));
    expect(told.map(({ name }) => name)).toEqual(['TurnStarted', 'ThoughtReady', 'TextDelta', 'TurnCompleted']);
    expect(told[1]?.fields).toEqual({ turnId: told[0]?.fields['turnId'], seq: 2, ...said('Secret plan.') });
    expect(told[3]?.fields).toMatchObject({ seq: 4, text: 'Hello.' });
  });

  // proves service-3-83
  it('is no part of the conversation: the next message, its snapshot and its history have none', async () => {
    const { url, model } = await start({ scripts: [deciding, saying('Again.')] });
    const first = await officialClient(`${url}/helper-hub`);
    const { connection } = first;
    await connection.invoke('SendMessage', 'Hi');
    await connection.invoke('SendMessage', 'And now?');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Hello.');
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Secret plan.');
    const session = async ({ connection: of }: Pick<typeof first, 'connection'>): Promise<string> =>
      `${url}/helper/session?connectionId=${await of.invoke<string>('GetConnectionId')}`;
    const saved = await (await fetch(await session(first))).text();
    const second = await officialClient(`${url}/helper-hub`);
    const headers = { 'content-type': 'application/json' };
    const restored = await fetch(await session(second), { method: 'POST', headers, body: saved });
    const words = await restored.text();
    expect(words).toContain('Hello.');
    expect(words).not.toContain('Secret plan.');
  });

  const agui = {
    settings: {
      auth: { jwt: { secret: tokenSecret } },
      endpoints: { agui: { enabled: true, requireAuthorization: false } },
    },
  };

  // proves wire-6-99
  it('is a span of reasoning for a client of AG-UI, which goes on with it', async () => {
    const { url, model } = await start({ ...agui, scripts: [deciding, saying('Again.')] });
    const agent = new AgUiAgent(url);
    const ran = await agent.ask('Hi');
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('Hello.');
    expect(typesIn(ran.events).filter((type) => type !== 'CUSTOM')).toEqual([
      'RUN_STARTED',
      ...[
        'REASONING_START',
        'REASONING_MESSAGE_START',
        'REASONING_MESSAGE_CONTENT',
        'REASONING_MESSAGE_END',
        'REASONING_END',
      ],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED'],
    ]);
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'reasoning', 'assistant']);
    expect((await agent.ask('And now?')).text).toBe('Again.');
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Secret plan.');
  });

  // proves wire-6-99
  it('is a custom event for a client of a version before 1.0', async () => {
    const { url } = await start(agui);
    const body = {
      ...{ threadId: 't1', runId: 'r1', state: {}, context: [], forwardedProps: {}, tools: [] },
      messages: [{ id: 'm1', role: 'user', content: 'Hi' }],
    };
    const events = await eventsOf(await posting(url, body));
    expect(customIn(events, 'ThoughtReady')).toMatchObject(said('Secret plan.'));
    expect(JSON.stringify(events)).not.toContain('REASONING');
  });

  // proves service-3-83
  it('is not told to clients of OpenAI', async () => {
    const { url } = await start({
      settings: {
        endpoints: { openai: { enabled: true, requireAuthorization: false } },
        auth: { jwt: { secret: tokenSecret } },
      },
    });
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'helper', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    const text = await answer.text();
    expect(text).toContain('Hello.');
    expect(text).not.toContain('Secret plan.');
  });
});

describe('a thought that nobody may see (contract/models.md#shown-thoughts)', () => {
  const layer = `export default { name: 'layer', hooks: { configureChatClientPipeline: (model) => ({ run: (request, sink) => model.run(request, sink) }) } };`;

  // proves service-3-84
  it.each<readonly [string, object]>([
    ['replies are checked', { enableOutputSafetyCheck: true }],
    ['a reply that claims a change may be replaced', { requireActionForChangeRequests: true }],
    ['a reply that read nothing may be replaced', { requireLookupForRecordQuestions: true }],
  ])('is not told where %s', async (_title, settings) => {
    const { url } = await serverWithSmall([], { scripts: [deciding], entry: shown, settings });
    const { thoughts, frames, text } = await chat(url);
    expect(text).toBe('Hello.');
    expect(thoughts).toEqual([]);
    expect(JSON.stringify(frames)).not.toContain('Secret plan.');
  });

  // proves service-3-84
  it('is not told behind a layer of a plugin, which may change what is said', async () => {
    const { url } = await start({ plugin: layer });
    const { thoughts, text } = await chat(url);
    expect(text).toBe('Hello.');
    expect(thoughts).toEqual([]);
  });

  // proves service-3-84
  it('is not told where links are taken out of replies', async () => {
    const events = [
      created('r1'),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Secret plan.' },
      textDelta('Hello.'),
      completed('r1'),
    ];
    const { url } = await start({
      scripts: [responseEvents(...events)],
      entry: { ...shown, api: 'responses' },
      settings: { hostedTools: ['WebSearch'], hostedToolDomainScope: ['shop.example'] },
    });
    const { thoughts, text } = await chat(url);
    expect(text).toBe('Hello.');
    expect(thoughts).toEqual([]);
  });

  // proves service-3-84
  it('waits for the check of the message, and is dropped with a message that is refused', async () => {
    const check = { entry: shown, settings: { enableSafetyCheck: true } };
    const passed = await serverWithSmall([saying('{"safe": true}')], { scripts: [deciding], ...check });
    expect((await chat(passed.url)).thoughts).toMatchObject([said('Secret plan.')]);
    const refused = await serverWithSmall([saying('{"safe": false}')], { scripts: [deciding], ...check });
    const { thoughts, frames } = await chat(refused.url);
    expect(frames.at(-1)?.data).toMatchObject({ code: 'unsafe_message' });
    expect(thoughts).toEqual([]);
  });

  // proves service-3-81
  it('of a reply with a call stands before the call', async () => {
    const call = calling({ name: 'get_theme', arguments: {} });
    const { url } = await start({
      plugin: `export default { name: 'none', actions: [{ name: 'get_theme', description: 'Reads the theme.', readOnly: true, parameters: { type: 'object', properties: {} }, execute: () => 'dark' }] };`,
      scripts: [
        async (exchange) => {
          await exchange.send(chunk({ reasoning_content: 'Secret plan.' }));
          await call(exchange);
        },
        deciding,
      ],
    });
    const { connection, events } = await officialClient(`${url}/helper-hub`);
    await connection.invoke('SendMessage', 'Hi');
    expect(events.map(({ name }) => name)).toEqual([
      ...[
        'Connected',
        'TurnStarted',
        'ThoughtReady',
        'ActionExecuting',
        'ActionCompleted',
        'ThoughtReady',
        'TextDelta',
        'TurnCompleted',
      ],
    ]);
  });
});
