import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ContextExceeded } from '../../src/core/ports/context-exceeded.ts';
import type { ChatMessage } from '../../src/core/ports/chat-model.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels } from '../support/opened-models.ts';
import {
  calling,
  chunk,
  ending,
  failing,
  type ModelScript,
  saying,
  sending,
  startScriptedModel,
} from '../support/scripted-model.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';
import { extrasIn, secretThought, thinkingAndCalling, thinkingProviders } from '../support/thinking-providers.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const providers = Object.entries(thinkingProviders);
const plugin = `export default { name: 'orders', actions: [{ name: 'get_order', description: 'Returns an order.',
  parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => 'sent' }] }`;
const order = { name: 'get_order', arguments: {} };
const toolList = [fakeTool({ name: 'get_order', readOnly: true })];
const back = (title: string): object => {
  const { back: ofMessage, backOfCall = {} } = thinkingProviders[title] ?? { back: {} };
  return { ...ofMessage, calls: [backOfCall] };
};
const thinking = (title = 'a text in pieces'): ModelScript => {
  const provider = thinkingProviders[title];
  if (provider === undefined) throw new Error(`there is no provider ${title}`);
  return thinkingAndCalling(provider, order);
};

async function ask(url: string, message: string) {
  const stream = await openSse(`${url}/helper/chat`, { body: { message } });
  const { data: end } = await stream.next('end');
  await stream.closed;
  return { end };
}

/** One conversation with the whole server on the hub, whose model plays the scripts. */
async function conversation(scripts: readonly ModelScript[], settings: object = {}) {
  const { model, url } = await scriptedServer({ scripts, plugin, settings });
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  onTestFinished(() => client.socket.terminate());
  let count = 0;
  return {
    extras: async (index: number) => extrasIn({ request: await model.request(index) }),
    requests: model.requests,
    say: async (message: string) => {
      count += 1;
      client.call('SendMessage', String(count), message);
      return client.result(String(count));
    },
    seen: () => JSON.stringify(client.frames),
  };
}

describe('what a provider needs back (contract/models.md#what-comes-back)', () => {
  // proves service-3-41, service-3-43
  it.each(providers)('comes back in the turn and in later ones, and no user reads it: %s', async (title) => {
    const answer = sending(chunk({ reasoning_content: 'Fine.' }), chunk({ content: 'It is sent.' }), ending());
    const { say, extras, seen } = await conversation([thinking(title), answer, saying('You are welcome.')]);
    expect(await say('Where is it?')).toMatchObject({ status: 'completed', text: 'It is sent.' });
    expect(await say('Thanks')).toMatchObject({ status: 'completed' });
    expect(await extras(1)).toEqual([back(title)]);
    expect(await extras(2)).toEqual([back(title), { reasoning_content: 'Fine.' }]);
    expect(seen()).not.toMatch(/must not read|sigAAA/);
  });

  // proves service-3-43
  it('is in no summary of the conversation', async () => {
    const long = saying(`It is sent. ${'And so on. '.repeat(200)}`);
    const settings = {
      enableCompaction: true,
      compactionSummary: true,
      compactionTokenThreshold: 100,
      compactionMaxTurns: 1,
    };
    const scripts = [thinking(), long, saying('Again.'), saying('They spoke of an order.'), saying('OK')];
    const { say, requests } = await conversation(scripts, settings);
    for (const message of ['Where is it?', 'And now?', 'Thanks']) await say(message);
    const asked = requests.find(({ body }) => JSON.stringify(body).includes('You sum up the earlier part'));
    expect(JSON.stringify(asked?.body)).toContain('get_order');
    expect(JSON.stringify(asked?.body)).not.toContain(secretThought);
  });

  // proves service-3-41
  it('is not kept of a turn without calls', async () => {
    const thought = sending(chunk({ reasoning_content: secretThought }), chunk({ content: 'Hi' }), ending());
    const { say, extras } = await conversation([thought, saying('OK')]);
    for (const message of ['Hello', 'Thanks']) await say(message);
    expect(await extras(1)).toEqual([{}]);
  });

  // proves service-3-42
  it('is sent to no other model: a fallback, and one that has taken its place', async () => {
    const first = await models.server(thinking(), failing(400));
    const second = await models.server(saying('From the other.'), saying('From the new one.'));
    const main = modelSettings({ baseUrl: first.url, fallbacks: ['other'] });
    const other = modelSettings({ baseUrl: second.url });
    const { url } = await testHttp({ model: await models.open({ main, other }), toolList });
    const { end } = await ask(url, 'Where is it?');
    expect(end).toMatchObject({ text: 'From the other.' });
    expect(extrasIn({ request: await first.request(1) })).toEqual([back('a text in pieces')]);
    expect(extrasIn({ request: await second.request(0) })).toEqual([{ calls: [{}] }]);
    const written = {
      of: 'https://else.example/v1/chat/completions scripted',
      content: { message: { reasoning: 'x' } },
    };
    const messages: readonly ChatMessage[] = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Hello', toolCalls: [], extras: written },
      { role: 'user', text: 'And?' },
    ];
    await (await models.openOn(second)).run(modelRequest({ messages }), new CollectedText());
    expect(extrasIn({ request: await second.request(1) })).toEqual([{}]);
  });

  // proves service-3-41, service-3-43
  it('lies with the question while the turn waits, and comes back from another process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-extras-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const parameters = { type: 'object', additionalProperties: true };
    const actions = [{ name: 'cancel_order', description: 'Cancels an order.', parameters }];
    const receiver = await startCallback({ version: 1, actions });
    receiver.answer = json({ result: 'cancelled' });
    const provider = thinkingProviders['a text in pieces'] ?? { thought: [], back: {} };
    const cancel = thinkingAndCalling(provider, { name: 'cancel_order', arguments: { id: 7 } });
    const model = await startScriptedModel({ scripts: [cancel, saying('It is cancelled.')] });
    onTestFinished(() => model.close());
    const config = join(folder, 'helper.yaml');
    const main = { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' };
    const callbacks = [{ name: 'erp', url: receiver.url, secret: callbackSecret }];
    const settings = { appName: 'Test', chatClient: 'main', models: { main }, actions: { plugins: [], callbacks } };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ ...settings, hitlMode: 'Native' }));
    const first = startServerProcess({ folder, config });
    const asked = await openSse(`${await first.url}/helper/chat`, { body: { message: 'cancel order 7' } });
    const { id = '', data = {} } = await asked.next('confirmation');
    await first.kill('SIGKILL');

    const second = startServerProcess({ folder, config });
    const url = await second.url;
    await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data['actionId'], approved: true }),
    });
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed', text: 'It is cancelled.' });
    expect(extrasIn({ request: await model.request(1) })).toEqual([{ ...provider.back, calls: [{}] }]);
    expect(first.printed() + second.printed()).not.toContain(secretThought);
  });
});

describe('the bounds of what comes back (contract/models.md#what-comes-back)', () => {
  const long = 'thought '.repeat(16_000);
  const endless = Array.from({ length: 30 }, () => ({ reasoning_content: long }));
  const large = { extra_content: { google: { thought_signature: 'A'.repeat(700_000) } } };

  // proves service-3-44
  it.each([
    ['a thought', { thought: endless, back: {} }],
    [
      'many blocks',
      {
        thought: [
          {
            reasoning_details: Array.from({ length: 9_000 }, () => ({ type: 'a' })).map((one, index) => ({
              ...one,
              index,
            })),
          },
        ],
        back: {},
      },
    ],
    ['signatures', { thought: [large], ofCall: large, back: {} }],
  ])('drop what is too large, and tell the log: %s', async (_title, provider) => {
    const scripted = await models.server(thinkingAndCalling(provider, order), saying('It is sent.'));
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    expect((await ask(url, 'Where is it?')).end).toMatchObject({ status: 'completed', text: 'It is sent.' });
    expect(extrasIn({ request: await scripted.request(1) })).toEqual([{ calls: [{}] }]);
    expect(models.logged).toContainEqual({
      model: 'scripted',
      maxBytes: 1024 * 1024,
      message: 'thoughts of a model are too large to be kept',
    });
  });
});

describe('what is nested too deeply among it (contract/models.md#what-comes-back)', () => {
  // proves service-3-44
  it('is dropped alone', async () => {
    const nested = `data: {"choices":[{"index":0,"delta":{"extra_content":${'{"a":'.repeat(20_000)}{}${'}'.repeat(20_000)},"reasoning_content":"hm"}}]}\n\n`;
    const call = { index: 0, id: 'a', function: { name: 'get_order', arguments: '{}' } };
    const scripted = await models.server(
      sending(nested, chunk({ tool_calls: [call] }), ending('tool_calls')),
      saying('It is sent.'),
    );
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    expect((await ask(url, 'Where is it?')).end).toMatchObject({ status: 'completed', text: 'It is sent.' });
    expect(extrasIn({ request: await scripted.request(1) })).toEqual([{ reasoning_content: 'hm', calls: [{}] }]);
  });
});

describe('the tokens of what comes back (contract/models.md#the-context-window)', () => {
  const of = (message: object): readonly ChatMessage[] => [
    { role: 'user', text: 'Where is it?' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'a', name: 'get_order', arguments: '{}' }],
      extras: { of: '', content: { message, calls: [null] } },
    },
    { role: 'tool', callId: 'a', name: 'get_order', text: 'sent' },
  ];
  const own = (messages: readonly ChatMessage[], of: string): readonly ChatMessage[] =>
    messages.map((one) => (one.role === 'assistant' && one.extras ? { ...one, extras: { ...one.extras, of } } : one));

  // proves configuration-3-61
  it('are those of its words, and a signature is no text', async () => {
    const scripted = await models.server(saying('OK'), saying('OK'));
    const model = await models.openOn(scripted, { contextWindow: 4_000, maxOutputTokens: 100 });
    const name = `${scripted.url}/chat/completions scripted`;
    const thought = own(of({ reasoning_content: 'door '.repeat(5_000) }), name);
    await expect(model.run(modelRequest({ messages: thought }), new CollectedText())).rejects.toThrow(ContextExceeded);
    const signed = own(of({ extra_content: { google: { thought_signature: 'A'.repeat(20_000) } } }), name);
    expect((await model.run(modelRequest({ messages: signed }), new CollectedText())).text).toBe('OK');
    const foreign = own(of({ reasoning_content: 'door '.repeat(5_000) }), 'another');
    expect((await model.run(modelRequest({ messages: foreign }), new CollectedText())).text).toBe('OK');
  });
});

describe('a provider that is particular about it (contract/models.md#what-comes-back)', () => {
  const tools = [{ name: 'get_order', description: 'Returns an order.', parameters: { type: 'object' } }];
  const called: readonly ChatMessage[] = [
    { role: 'user', text: 'Where is it?' },
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'get_order', arguments: '{}' }] },
    { role: 'tool', callId: 'a', name: 'get_order', text: 'sent' },
  ];
  const insisting = (member: string, message: string): ModelScript => {
    return (exchange) => {
      const has = JSON.stringify(exchange.request.body['messages']).includes(`"${member}"`);
      return (has ? saying('OK') : failing(400, { body: { error: { message } } }))(exchange);
    };
  };

  // proves service-3-45
  it.each([
    [
      'reasoning_content',
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      { reasoning_content: ' ', calls: [{}] },
    ],
    [
      'thought_signature',
      'Function call is missing a thought_signature in functionCall parts.',
      { calls: [{ extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }] },
    ],
  ])('gets a stand-in for the replies of other models: %s', async (member, message, standIn) => {
    const refusing = insisting(member, message);
    const scripted = await models.server(refusing, refusing, refusing);
    const model = await models.openOn(scripted);
    for (const text of ['Hi', 'And?']) {
      const messages = [...called, { role: 'user', text } as const];
      expect((await model.run(modelRequest({ messages, tools }), new CollectedText())).text).toBe('OK');
    }
    expect(scripted.requests.map((request) => extrasIn({ request }))).toEqual([
      [{ calls: [{}] }],
      [standIn],
      [standIn],
    ]);
  });

  // proves service-3-45
  it('gets none beside the signatures that it has given', async () => {
    const missing = failing(400, { body: { error: { message: 'Function call is missing a thought_signature.' } } });
    const scripted = await models.server(missing, saying('OK'));
    const model = await models.openOn(scripted);
    const google = { google: { thought_signature: 'own' } };
    const extras = {
      of: `${scripted.url}/chat/completions scripted`,
      content: { message: {}, calls: [{ extra_content: google }, null] },
    };
    const toolCalls = ['b', 'c'].map((id) => ({ id, name: 'get_order', arguments: '{}' }));
    const signed: readonly ChatMessage[] = [
      { role: 'assistant', text: '', toolCalls, extras },
      ...toolCalls.map(({ id }) => ({ role: 'tool', callId: id, name: 'get_order', text: 'sent' }) as const),
    ];
    await model.run(modelRequest({ messages: [...called, ...signed], tools }), new CollectedText());
    const standIn = { google: { thought_signature: 'skip_thought_signature_validator' } };
    expect(extrasIn({ request: await scripted.request(1) })).toEqual([
      { calls: [{ extra_content: standIn }] },
      { calls: [{ extra_content: google }, {}] },
    ]);
  });

  // proves service-3-45
  it.each([
    ['a text in pieces', "property 'reasoning_content' is unsupported"],
    ['a text of another name', "property 'messages.1.assistant.reasoning' is unsupported"],
    ['a text of another name', 'Extra inputs are not permitted: ["body","messages",1,"reasoning"]'],
    ['details in pieces', 'messages[1].reasoning_details: unknown field'],
    ['a signature of the call', 'Unknown name "extra_content" at messages[1].tool_calls[0]'],
  ])('is not sent again a member that it refuses by its name: %s, %s', async (title, message) => {
    const refused = failing(400, { body: { error: { message } } });
    const scripts = [thinking(title), refused, saying('It is sent.'), thinking(title), saying('Again.')];
    const { say, extras, requests } = await conversation(scripts);
    expect(await say('Where is it?')).toMatchObject({ text: 'It is sent.' });
    expect(await say('And now?')).toMatchObject({ text: 'Again.' });
    expect(await extras(2)).toEqual([{ calls: [{}] }]);
    expect(requests).toHaveLength(5);
  });

  // proves service-3-45
  it.each([
    ['an older signature', 'messages.1.content.0: Invalid `signature` in `thinking` block', 2],
    ['something else', 'Invalid value of `top_p`', 1],
  ])('is asked once more without all of it where it refuses %s', async (_title, message, requests) => {
    const refused = failing(400, { body: { error: { message } } });
    const scripted = await models.server(thinking('details in pieces'), refused, saying('It is sent.'));
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    const { end } = await ask(url, 'Where is it?');
    expect(end).toMatchObject({ status: requests === 2 ? 'completed' : 'failed' });
    expect(scripted.requests).toHaveLength(1 + requests);
    expect(extrasIn({ request: await scripted.request(requests) })).toEqual([
      requests === 2 ? { calls: [{}] } : back('details in pieces'),
    ]);
  });

  // proves service-3-45
  it('fails where nothing of it was sent', async () => {
    const refused = failing(400, { body: { error: { message: "property 'reasoning_content' is unsupported" } } });
    const scripted = await models.server(refused);
    await expect((await models.openOn(scripted)).run(modelRequest(), new CollectedText())).rejects.toThrow('400');
    expect(scripted.requests).toHaveLength(1);
  });

  it('is asked as ever when it thinks and calls nothing', async () => {
    const scripted = await models.server(calling(order), saying('OK'));
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    await ask(url, 'Where is it?');
    expect(extrasIn({ request: await scripted.request(1) })).toEqual([{ calls: [{}] }]);
  });
});
