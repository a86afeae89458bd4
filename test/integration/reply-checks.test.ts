import type { HubConnection } from '@microsoft/signalr';
import { describe, expect, it } from 'vitest';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { asUser } from '../support/kept-conversations.ts';
import { hubOf, say } from '../support/remembering.ts';
import { calling, failing, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { heldScript, serverWithSmall } from '../support/small-questions.ts';
import { openSse } from '../support/sse-client.ts';

const secret = 'Your key is sk-12345678901234567890.';
const withheld = { status: 'refused', code: 'reply_withheld', text: '' };
const shown = { status: 'completed', text: 'The reply.' };

const start = (
  verdicts: readonly ModelScript[],
  options: Parameters<typeof serverWithSmall>[1] = {},
): ReturnType<typeof serverWithSmall> =>
  serverWithSmall(verdicts, { ...options, settings: { enableOutputSafetyCheck: true, ...options.settings } });

const plugin = (hooks = '{}'): string => `
import { card } from 'helper';
export default { name: 'own', hooks: ${hooks}, actions: [
  { name: 'get_it', description: 'Looks it up.', parameters: { type: 'object', properties: {} }, readOnly: true,
    execute: () => card('found', { type: 'AdaptiveCard', version: '1.5', body: [{ type: 'TextBlock', text: 'The card' }] }) }] }`;

const lookingUp = [calling({ name: 'get_it', arguments: {} }), saying('The reply.')];

describe('the check of replies that comes with the server (contract/guardrails.md#replies)', () => {
  // proves service-2.8-20
  it('shows nothing before the verdict, and then the whole reply in one piece', async () => {
    const verdict = heldScript('{"safe": true}');
    const { url, small } = await start([verdict.script], { scripts: [saying('The ', 'reply.')] });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' } });
    await small.request(0);
    expect(chat.text()).toBe('');
    verdict.release();
    expect((await chat.next('text')).data).toMatchObject({ text: 'The reply.' });
    expect((await chat.next('end')).data).toMatchObject(shown);
  });

  // proves service-2.8-22
  it('asks one strict question at temperature 0, with the reply between marks that are new each time', async () => {
    const { url, small } = await start([saying('{"safe": true}'), saying('{"safe": true}')], {
      scripts: [saying('The reply.'), saying('The reply.')],
    });
    for (let turn = 0; turn < 2; turn += 1) expect(await say(url, 'Hello')).toMatchObject(shown);
    const marks = small.requests.map(({ body }) => {
      expect(body).toMatchObject({ temperature: 0, response_format: { type: 'json_object' } });
      const [system, user] = body['messages'] as readonly { readonly content: string }[]; // OpenAI's protocol has this shape
      const [first = '', ...rest] = user?.content.split('\n') ?? [];
      expect(rest).toEqual(['The reply.', first]);
      expect(system?.content).toContain(first);
      return first;
    });
    expect(new Set(marks).size).toBe(2);
  });

  // proves service-2.8-24
  it('withholds what it finds unsafe: no word of it leaves, and the user is told that it was withheld', async () => {
    const { url } = await start([saying('{"safe": false}')], { scripts: [saying(secret)] });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Which key?' } });
    expect((await chat.next('failure')).data).toMatchObject({
      code: 'reply_withheld',
      message: 'The reply did not pass a check and is not shown. Please rephrase your question.',
      retryable: false,
    });
    expect((await chat.next('end')).data).toMatchObject(withheld);
    expect(chat.text()).toBe('');
  });

  // proves service-2.8-26
  it('keeps the message of a withheld reply in the conversation, and nothing of the reply', async () => {
    const { url, model } = await start([saying('{"safe": false}'), saying('{"safe": true}')], {
      scripts: [saying(secret), saying('The reply.')],
    });
    const hub = await hubOf(url);
    hub.on('TextDelta', () => undefined);
    hub.on('ErrorOccurred', () => undefined);
    expect(await hub.invoke('SendMessage', 'Which key?')).toMatchObject(withheld);
    expect(await hub.invoke('SendMessage', 'Hello')).toMatchObject(shown);
    const sent = model.requests[1]?.body['messages'] as readonly { readonly role: string; readonly content: string }[]; // the OpenAI wire
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(sent[1]?.content).toContain('Which key?');
    expect(sent[2]?.content).toContain('withheld');
    expect(JSON.stringify(sent)).not.toContain('sk-');
  });

  // proves service-2.8-26
  it('tells the model with the next message that the reply after its calls was withheld, and what they have come to', async () => {
    const { url, model } = await start([saying('{"safe": false}'), saying('{"safe": true}')], {
      plugin: plugin(),
      scripts: [calling({ name: 'get_it', arguments: {} }), saying(secret), saying('The reply.')],
    });
    const hub = await hubOf(url);
    for (const event of ['TextDelta', 'ErrorOccurred', 'ActionExecuting', 'ActionCompleted'])
      hub.on(event, () => undefined);
    expect(await hub.invoke('SendMessage', 'Which key?')).toMatchObject(withheld);
    const other = await hubOf(url);
    const sessionOf = async (one: HubConnection): Promise<string> =>
      `${url}/helper/session?connectionId=${String(await one.invoke('GetConnectionId'))}`;
    const { body } = await asUser(await sessionOf(hub), undefined);
    expect(await asUser(await sessionOf(other), undefined, { method: 'POST', body })).toMatchObject({ status: 200 });
    expect(await other.invoke('SendMessage', 'Hello')).toMatchObject(shown);
    const sent = model.requests[2]?.body['messages'] as readonly { readonly role: string; readonly content: string }[]; // the OpenAI wire
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(sent[3]?.content).toContain('[succeeded]');
    expect(sent[4]?.content).toContain('withheld');
    expect(JSON.stringify(sent)).not.toMatch(/sk-|isWithheld/);
  });

  // proves service-2.8-26
  it('keeps nothing of what a specialist has said in a withheld reply: the next message tells the model so', async () => {
    const specialists = `export default { name: 'own', actions: [], specialists: [
      { name: 'Vault', description: 'Knows keys.', instructions: 'You are Vault.', actions: [] }] }`;
    const { url, model } = await start([saying('{"safe": false}'), saying('{"safe": true}')], {
      plugin: specialists,
      scripts: [
        calling({ name: 'route_to_specialist', arguments: { name: 'Vault', request: 'Which key?' } }),
        saying(secret),
        saying('That is the key.'),
        saying('The reply.'),
      ],
    });
    const hub = await hubOf(url);
    for (const event of ['TextDelta', 'ErrorOccurred', 'AgentActivity']) hub.on(event, () => undefined);
    expect(await hub.invoke('SendMessage', 'Which key?')).toMatchObject(withheld);
    expect(await hub.invoke('SendMessage', 'Hello')).toMatchObject(shown);
    expect(JSON.stringify(model.requests[2]?.body['messages'])).toContain('sk-');
    const sent = JSON.stringify(model.requests[3]?.body['messages']);
    expect(sent).toContain('Vault has answered, but the answer was withheld.');
    expect(sent).not.toMatch(/sk-|has read this answer|That is the key/);
  });

  // proves service-2.8-21
  it('holds cards with the text, while the events of actions flow', async () => {
    const verdict = heldScript('{"safe": true}');
    const { url, small } = await start([verdict.script], { plugin: plugin(), scripts: lookingUp });
    const hub = await hubOf(url);
    const events: string[] = [];
    for (const name of ['TextDelta', 'CardReady', 'ActionCompleted', 'TurnCompleted'])
      hub.on(name, () => events.push(name));
    const turn = hub.invoke('SendMessage', 'Look it up');
    await small.request(0);
    await expect.poll(() => events).toEqual(['ActionCompleted']);
    verdict.release();
    expect(await turn).toMatchObject(shown);
    expect(events).toEqual(['ActionCompleted', 'CardReady', 'TextDelta', 'TurnCompleted']);
  });

  // proves service-2.8-21
  it('lets questions to the user through while the reply is held', async () => {
    const write = plugin().replace('readOnly: true', 'requiresConfirmation: true');
    const { url, model } = await start([saying('{"safe": true}')], { plugin: write, scripts: lookingUp });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Do it' } });
    const asked = (await chat.next('confirmation')).data as { readonly actionId: string }; // checked by its answer below
    await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: asked.actionId, approved: true }),
    });
    expect((await chat.next('end')).data).toMatchObject(shown);
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.8-25
  it('sends no card of a reply that is withheld', async () => {
    const { url } = await start([saying('{"safe": false}')], { plugin: plugin(), scripts: lookingUp });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Look it up' } });
    expect((await chat.next('end')).data).toMatchObject(withheld);
    expect(chat.frames.map(({ event }) => event)).not.toContain('card');
  });

  // proves service-2.8-23
  it('asks about a long reply in parts that overlap, and withholds all of it for one of them', async () => {
    const long = `${'word '.repeat(4_000)}${secret}`;
    const parts: ModelScript = async (exchange) => {
      const isUnsafe = JSON.stringify(exchange.request.body).includes('sk-1234');
      await saying(JSON.stringify({ safe: !isUnsafe }))(exchange);
    };
    const { url, small } = await start([parts, parts], { scripts: [saying(long)] });
    expect(await say(url, 'Hello')).toMatchObject(withheld);
    expect(small.requests).toHaveLength(2);
  });

  const noVerdicts: readonly (readonly [string, ModelScript])[] = [
    ['prose', saying('This reply is safe.')],
    ['a fault', failing(500)],
    ['nothing', hangingAfter('{"safe": ')],
  ];

  // proves service-2.8-27
  it.each(noVerdicts)('takes %s for no verdict: with Allow the reply is shown', async (_what, verdict) => {
    const { url } = await start([verdict], { settings: { safetyCheckTimeout: '300ms' } });
    expect(await say(url, 'Hello')).toMatchObject(shown);
  });

  // proves service-2.8-28
  it.each(noVerdicts)('takes %s for no verdict: with Block the reply is withheld', async (_what, verdict) => {
    const { url } = await start([verdict], { settings: { safetyCheckTimeout: '300ms', safetyCheckFailure: 'Block' } });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' } });
    expect((await chat.next('failure')).data).toMatchObject({ code: 'reply_withheld', retryable: true });
    expect((await chat.next('end')).data).toMatchObject(withheld);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'helperagent_guardrail_failures_total{guardrail="output"} 1',
    );
  });

  // proves service-2.8-29
  it('is ended by Stop while the verdict is awaited, and nothing of the reply is shown', async () => {
    const { url, small } = await start([hangingAfter('')], { settings: { safetyCheckTimeout: '0s' } });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' } });
    await small.request(0);
    await fetch(`${url}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turnId: chat.headers['x-turn-id'] }),
    });
    expect((await chat.next('end')).data).toMatchObject({ status: 'stopped', text: '' });
  });

  // proves service-2.7-27
  it('counts a withheld reply as a block of the guardrail output', async () => {
    const { url } = await start([saying('{"safe": false}')], { scripts: [saying(secret)] });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'helperagent_guardrail_blocks_total{guardrail="output"} 0',
    );
    expect(await say(url, 'Which key?')).toMatchObject(withheld);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'helperagent_guardrail_blocks_total{guardrail="output"} 1',
    );
  });

  it('is off unless it is switched on', async () => {
    const { url, small } = await start([], { settings: { enableOutputSafetyCheck: false }, scripts: [saying(secret)] });
    expect(await say(url, 'Hello')).toMatchObject({ status: 'completed', text: secret });
    expect(small.requests).toEqual([]);
  });

  // proves service-2.8-31
  it('is known to the demo model, which withholds keys of providers', async () => {
    const settings = {
      chatClient: 'demo',
      classifierChatClient: undefined,
      models: { demo: { provider: 'demo' } },
      appDescription: secret,
    };
    const { url } = await start([], { settings, plugin: plugin() });
    expect(await say(url, 'Hello')).toMatchObject({ status: 'completed' });
    expect(await say(url, 'What is this application about?')).toMatchObject(withheld);
  });
});

describe('checks of replies by the host application (contract/guardrails.md#replies)', () => {
  // proves service-2.8-15
  it('take the place of the one that comes with the server; true is safe, false withholds', async () => {
    const { url, small } = await start([], {
      plugin: plugin(`{ outputGuardrail: async (text, signal) => !text.includes('sk-') }`),
      scripts: [saying(secret), saying('The reply.')],
    });
    expect(await say(url, 'Which key?')).toMatchObject(withheld);
    expect(await say(url, 'Hello')).toMatchObject(shown);
    expect(small.requests).toEqual([]);
  });

  const withCallback = async (hooks: readonly string[], settings: object = {}) => {
    const receiver = await startCallback({ version: 1, hooks });
    const callbacks = [{ name: 'erp', url: receiver.url, secret: callbackSecret }];
    const server = await scriptedServer({ scripts: [saying(secret), saying('The reply.')], callbacks, settings });
    return { ...server, receiver };
  };

  // proves extending-2-62
  it('are asked of a callback whose manifest has the hook outputGuardrail', async () => {
    const { url, receiver } = await withCallback(['outputGuardrail']);
    receiver.answer = json({ safe: false });
    expect(await say(url, 'Which key?')).toMatchObject(withheld);
    receiver.answer = json({ safe: true });
    expect(await say(url, 'Hello')).toMatchObject(shown);
    expect(receiver.posts().map(({ body }) => body)).toEqual(
      [secret, 'The reply.'].map((text) => ({ type: 'guardrail', text, direction: 'output' })),
    );
  });

  // proves service-2.8-16
  it('are asked of the callback that outputGuardrail names, whatever its manifest says', async () => {
    const { url, receiver } = await withCallback([], { outputGuardrail: { callback: 'erp' } });
    receiver.answer = json({ safe: false });
    expect(await say(url, 'Which key?')).toMatchObject(withheld);
  });

  // proves service-2.8-17
  it('name a callback that there is: another name is a fault with what was probably meant', async () => {
    await expect(withCallback([], { outputGuardrail: { callback: 'rep' } })).rejects.toThrow(
      /outputGuardrail\.callback.*names no callback; actions\.callbacks has erp/s,
    );
  });
});
