import { describe, expect, it, onTestFinished } from 'vitest';
import { honestyTasks } from '../../src/core/guardrails/honest-questions.ts';
import { connectAs } from '../support/kept-conversations.ts';
import { calling, hangingAfter, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const plugin = `export default { name: 'desk', actions: [
  { name: 'get_order', title: 'Get an order', description: 'Reads it.', readOnly: true, parameters: { type: 'object', properties: {} },
    execute: () => ({ state: 'open' }) },
  { name: 'cancel_order', title: 'Cancel an order', description: 'Cancels it.', parameters: { type: 'object', properties: {} },
    execute: () => ({ cancelled: true }) }] }`;

const lie = 'Your order is cancelled.';
const untrue = 'The answer claimed a change that was not made, so it was withdrawn. Nothing was changed.';
const both = { requireActionForChangeRequests: true, requireLookupForRecordQuestions: true };

/** A server whose small questions go to a model of their own, which answers each in the same way. */
async function start(scripts: readonly ModelScript[], verdict: ModelScript, settings: object, desk = plugin) {
  const small = await startScriptedModel({ otherwise: verdict });
  onTestFinished(() => small.close());
  const entry = { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none', maxRetries: 0 };
  const server = await scriptedServer({
    scripts,
    plugin: desk,
    models: { small: entry },
    settings: { classifierChatClient: 'small', ...settings },
  });
  return { ...server, small };
}

const yes = saying('{"answer": true}');

async function ask(url: string, message = 'Cancel my order') {
  const chat = await openSse(`${url}/helper/chat`, { body: { message } });
  const end = (await chat.next('end')).data;
  return { chat, end };
}

describe('requireActionForChangeRequests (contract/guardrails.md#true-replies)', () => {
  // proves configuration-2-43
  it('replaces a false claim on the stream, in the frame of a replacement', async () => {
    const { url, small } = await start([saying(lie)], yes, { requireActionForChangeRequests: true });
    const { chat, end } = await ask(url);
    expect(end).toMatchObject({ status: 'completed', text: untrue });
    const texts = chat.frames.filter(({ event }) => event === 'text').map(({ data }) => data);
    expect(texts.at(-1)).toMatchObject({ replace: true, text: untrue });
    expect(texts.length).toBeGreaterThan(1);
    expect(small.requests.map(({ body }) => body['temperature'])).toEqual([0, 0]);
  });

  // proves configuration-2-40
  it('asks nothing and replaces nothing unless it is set', async () => {
    const { url, small } = await start([saying(lie)], yes, {});
    expect((await ask(url)).end).toMatchObject({ text: lie });
    expect(small.requests).toHaveLength(0);
  });

  // proves configuration-2-46
  it('requires nothing with requireConfirmation: false', async () => {
    const { url, small } = await start([saying(lie)], yes, {
      requireActionForChangeRequests: true,
      requireConfirmation: false,
    });
    expect((await ask(url)).end).toMatchObject({ text: lie });
    expect(small.requests).toHaveLength(0);
  });

  // proves configuration-2-50
  it('lets the reply stand when the small model does not answer within safetyCheckTimeout', async () => {
    const { url } = await start([saying(lie)], hangingAfter(''), { ...both, safetyCheckTimeout: '50ms' });
    expect((await ask(url)).end).toMatchObject({ text: lie });
  });

  // proves configuration-2-50
  it.each([
    ['prose', saying('Yes, it does.')],
    ['a flood', saying(...Array.from({ length: 300 }, () => 'true '.repeat(100)))],
    ['something else than was asked', saying('{"because": "it says so"}')],
    ['a list', saying('[true]')],
  ])('lets the reply stand when the small model answers %s', async (_title, verdict) => {
    const { url } = await start([saying(lie)], verdict, both);
    expect((await ask(url)).end).toMatchObject({ text: lie });
  });

  // proves configuration-2-41
  it('asks chatClient where classifierChatClient is left out', async () => {
    const { url, model } = await scriptedServer({
      scripts: [],
      plugin,
      settings: { requireActionForChangeRequests: true },
    });
    // The first two come at the same time, in whatever order.
    const either: ModelScript = (exchange) => {
      const [system] = exchange.request.body['messages'] as readonly { readonly content: string }[]; // OpenAI's protocol has this shape
      const isQuestion = Object.values(honestyTasks).some((task) => system?.content.startsWith(task));
      return (isQuestion ? yes : saying(lie))(exchange);
    };
    model.script(either, either, either);
    expect((await ask(url)).end).toMatchObject({ text: untrue });
    expect(model.requests).toHaveLength(3);
  });
});

describe('a held reply that is not true (contract/guardrails.md#true-replies)', () => {
  const guarded = plugin.replace(
    /\] \}$/,
    '], hooks: { outputGuardrail: (text) => { globalThis.checked = text; return true; } } }',
  );
  const checked = (): unknown => (globalThis as { readonly checked?: unknown }).checked;

  // proves configuration-2-55
  it.each<[string, readonly ModelScript[], object, string]>([
    ['claims a change', [saying(lie)], { requireActionForChangeRequests: true }, untrue],
    [
      'has looked nothing up',
      [saying('It was delivered.'), calling({ name: 'get_order', arguments: {} }), saying('It is open.')],
      { requireLookupForRecordQuestions: true },
      'It is open.',
    ],
  ])('is never shown: one that %s', async (_title, scripts, settings, truth) => {
    const { url, model } = await start([...scripts, saying('Bye.')], yes, settings, guarded);
    const hub = await connectAs(url, undefined);
    const texts: string[] = [];
    hub.on('TextDelta', ({ text }: { readonly text: string }) => texts.push(text));
    hub.on('TextReplaced', () => texts.push('replaced'));
    for (const event of ['ActionExecuting', 'ActionCompleted']) hub.on(event, () => undefined);
    expect(await hub.invoke('SendMessage', 'Cancel my order')).toMatchObject({ status: 'completed', text: truth });
    expect(texts.join('')).toBe(truth);
    expect(checked()).toBe(truth);
    await hub.invoke('SendMessage', 'Bye');
    const sent = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(sent).toContain(truth);
    expect(sent).not.toMatch(/is cancelled|delivered/);
  });
});

describe.each(['Blocking', 'Native'] as const)(
  'requireLookupForRecordQuestions with hitlMode %s (contract/guardrails.md#true-replies)',
  (hitlMode) => {
    const settings = { requireLookupForRecordQuestions: true, hitlMode };
    const scripts = [
      saying('It was delivered.'),
      calling({ name: 'get_order', arguments: {} }),
      saying('It is open.'),
      saying('Hello.'),
    ];

    // proves configuration-2-47
    it('has the model look something up, over server-sent events', async () => {
      const { url, model } = await start(scripts, yes, settings);
      const { chat, end } = await ask(url, 'Where is my order?');
      expect(end).toMatchObject({ status: 'completed', text: 'It is open.' });
      expect(chat.frames.find(({ data }) => data?.['replace'] === true)?.data).toMatchObject({ text: '' });
      expect(model.requests.map(({ body }) => body['tool_choice'])).toEqual([undefined, 'required', undefined]);
    });

    // proves configuration-2-47, configuration-2-52
    it('has the model look something up, over the hub, and goes on with what was shown', async () => {
      const { url, model } = await start(scripts, yes, settings);
      const hub = await connectAs(url, undefined);
      const replaced: string[] = [];
      hub.on('TextReplaced', ({ text }: { readonly text: string }) => replaced.push(text));
      for (const event of ['TextDelta', 'ActionExecuting', 'ActionCompleted']) hub.on(event, () => undefined);
      expect(await hub.invoke('SendMessage', 'Where is my order?')).toMatchObject({ text: 'It is open.' });
      expect(replaced).toEqual(['']);
      await hub.invoke('SendMessage', 'Hello');
      const sent = JSON.stringify(model.requests[3]?.body['messages']);
      expect(sent).toContain('It is open.');
      expect(sent).not.toContain('It was delivered.');
    });
  },
);
