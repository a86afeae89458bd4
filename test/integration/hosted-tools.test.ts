import { describe, expect, it, onTestFinished } from 'vitest';
import type { HelperEvent } from '../../src/index.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import {
  completed,
  created,
  fileCitation,
  item,
  responseEvents,
  textDelta,
  urlCitation,
  webSearch,
} from '../support/responses-model.ts';
import { failing, type ModelScript, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const search = { hostedTools: ['WebSearch'] };

/** One turn of an anonymous user. */
async function turnOn(
  settings: object,
  ...scripts: readonly ModelScript[]
): Promise<{ readonly events: readonly HelperEvent[]; readonly body: object; readonly log: readonly object[] }> {
  const { helper, model, log } = await inProcessHelper({ scripts, settings });
  const session = await helper.session();
  const events = await allOf(session.send('What is new?'));
  const { body } = await model.request(0);
  return { events, body, log: log.lines };
}

function actionsOf(events: readonly HelperEvent[]): readonly object[] {
  return events.filter(({ event }) => event.startsWith('Action'));
}

function connectedOf(client: RawHubClient): unknown {
  return client.records.find((record) => record['target'] === 'Connected')?.['arguments'];
}

function textOf(events: readonly HelperEvent[]): string {
  return events.map((event) => (event.event === 'TextDelta' ? event.text : '')).join('');
}

const searched = responseEvents(
  created('r1'),
  ...webSearch('ws_1'),
  textDelta('It rains.'),
  urlCitation('https://weather.example/today', 'Weather today'),
  urlCitation('https://weather.example/today', 'Weather today'),
  fileCitation('file-1', 'rain.pdf'),
  completed('r1'),
);

describe('tools of the provider (contract/hosted-tools.md)', () => {
  // proves service-2.17-02, service-2.17-04, service-2.17-40
  it('are sent to the Responses API, which hosted tools ask for, with their options', async () => {
    const { helper, model } = await inProcessHelper({
      scripts: [searched],
      settings: {
        hostedTools: ['WebSearch', 'FileSearch', 'CodeInterpreter'],
        hostedToolOptions: {
          WebSearch: { userLocation: { type: 'approximate', country: 'DE' }, searchContextSize: 'low' },
          FileSearch: { vectorStoreIds: ['vs_1'], maxNumResults: 3 },
        },
        hostedToolDomainScope: ['weather.example'],
      },
    });
    await allOf((await helper.session()).send('What is new?'));
    const { path, body } = await model.request(0);
    expect(path).toBe('/v1/responses');
    const tools = body['tools'] as readonly { type: string }[]; // the Responses API has a list
    expect(tools.filter(({ type }) => type !== 'function')).toEqual([
      {
        type: 'web_search',
        user_location: { type: 'approximate', country: 'DE' },
        search_context_size: 'low',
        filters: { allowed_domains: ['weather.example'] },
      },
      { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 3 },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]);
    expect(tools.some(({ type }) => type === 'function')).toBe(true);
  });

  // proves service-2.17-20, service-2.17-24
  it('are told while they run, with a title in the language, and with one end', async () => {
    const { events } = await turnOn({ ...search, language: 'German' }, searched);
    const [executing, done] = actionsOf(events);
    expect(executing).toMatchObject({
      event: 'ActionExecuting',
      action: 'WebSearch',
      title: 'Websuche',
      agent: 'coordinator',
    });
    expect(executing).not.toHaveProperty('arguments');
    expect(done).toMatchObject({ event: 'ActionCompleted', action: 'WebSearch', status: 'succeeded' });
    expect(done).toMatchObject({ callId: (executing as { callId: string }).callId });
    expect(actionsOf(events)).toHaveLength(2);
    expect(events.at(-1)).not.toHaveProperty('receipts');
    const order = events.map(({ event }) => event);
    expect(order.indexOf('ActionExecuting')).toBeLessThan(order.indexOf('TextDelta'));
  });

  // proves service-2.17-21
  it.each([
    ['the switch of other actions is off', { enableActionFeedback: false }, 2],
    ['their own switch is off', { enableHostedToolActivity: false }, 0],
  ])('have a switch of their own: %s', async (_which, settings, count) => {
    const { events } = await turnOn({ ...search, ...settings }, searched);
    expect(actionsOf(events)).toHaveLength(count);
    expect(textOf(events)).toBe('It rains.');
  });

  // proves service-2.17-20
  it('tell of code that ran, and of a call that failed', async () => {
    const code = { id: 'ci_1', type: 'code_interpreter_call', code: '1+1', container_id: 'c', outputs: null };
    const script = responseEvents(
      created('r1'),
      ...item({ ...code, status: 'failed' }),
      textDelta('Two.'),
      completed('r1'),
    );
    const { events } = await turnOn({ hostedTools: ['CodeInterpreter'] }, script);
    expect(actionsOf(events)).toMatchObject([
      { action: 'CodeInterpreter', title: 'Code interpreter' },
      { action: 'CodeInterpreter', status: 'failed' },
    ]);
  });

  // proves service-2.17-23
  it('end as cancelled when the reply breaks off, which is not asked for again', async () => {
    const begun = responseEvents(created('r1'), ...webSearch('ws_1').slice(0, 2));
    const { helper, model } = await inProcessHelper({ scripts: [begun], settings: search });
    const events = await allOf((await helper.session()).send('What is new?'));
    expect(actionsOf(events)).toMatchObject([{ event: 'ActionExecuting' }, { status: 'cancelled' }]);
    expect(events.at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'failed', code: 'model_unavailable' });
    expect(model.requests).toHaveLength(1);
  });

  // proves service-2.17-08
  it('do not run before the message is checked', async () => {
    const plugin = `
      export default { name: 'guard', actions: [], hooks: { inputGuardrail: async () => false } };`;
    const { helper, model } = await inProcessHelper({ scripts: [searched], settings: search, plugin });
    const events = await allOf((await helper.session()).send('What is new?'));
    expect(events.at(-1)).toMatchObject({ status: 'refused', code: 'unsafe_message' });
    expect(model.requests).toHaveLength(0);
  });

  // proves service-2.17-07
  it('are not offered to a fallback that speaks another API', async () => {
    const [main, other] = [await startScriptedModel(), await startScriptedModel()];
    onTestFinished(() => Promise.all([main.close(), other.close()]).then(() => undefined));
    main.script(failing(401));
    const entry = { provider: 'openai', model: 'scripted', apiKey: 'none' };
    const models = {
      main: { ...entry, baseUrl: main.url, fallbacks: ['other'] },
      other: { ...entry, baseUrl: other.url },
    };
    const { helper } = await inProcessHelper({ scripts: [], settings: { ...search, models } });
    const events = await allOf((await helper.session()).send('What is new?'));
    expect(events.at(-1)).toMatchObject({ status: 'completed', text: 'OK' });
    expect(main.requests.map(({ path }) => path)).toEqual(['/v1/responses']);
    const { path, body } = await other.request(0);
    expect(path).toBe('/v1/chat/completions');
    expect(JSON.stringify(body['tools'])).not.toContain('web_search');
  });

  // proves service-2.17-03
  it('stay off with api: chat, and are then no settings of a connection', async () => {
    const overrides = { HELPER__MODELS__MAIN__API: 'chat' };
    const { url, model } = await scriptedServer({ scripts: [], settings: search, overrides });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    expect(connectedOf(client)).toMatchObject([{ settings: { hostedTools: [] } }]);
    client.call('SendMessage', '1', 'hello');
    await client.result('1');
    client.socket.close();
    const { path, body } = await model.request(0);
    expect(path).toBe('/v1/chat/completions');
    expect(JSON.stringify(body['tools'])).not.toContain('web_search');
  });

  // proves service-2.17-09
  it.each([
    [true, 1],
    [false, 0],
  ])('are listed for each connection, and shown by showHostedToolsStatus: %s', async (showHostedToolsStatus, count) => {
    const { url } = await scriptedServer({ scripts: [searched], settings: { ...search, showHostedToolsStatus } });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    expect(connectedOf(client)).toMatchObject([{ settings: { hostedTools: ['WebSearch'] } }]);
    client.call('SendMessage', '1', 'hello');
    await client.result('1');
    const ready = client.records.filter((record) => record['target'] === 'HostedToolsReady');
    client.socket.close();
    expect(ready.map((record) => record['arguments'])).toEqual(
      Array.from({ length: count }, () => [{ tools: ['WebSearch'] }]),
    );
  });

  // proves service-2.17-80
  it('are not listed while the kill switch names them', async () => {
    const { url } = await scriptedServer({
      scripts: [searched],
      settings: {
        hostedTools: ['WebSearch', 'CodeInterpreter'],
        showHostedToolsStatus: true,
        killSwitch: { writes: true, tools: ['Web*'] },
      },
    });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    expect(connectedOf(client)).toMatchObject([{ settings: { hostedTools: ['CodeInterpreter'] } }]);
    client.call('SendMessage', '1', 'hello');
    await client.result('1');
    client.socket.close();
    const ready = client.records.find((record) => record['target'] === 'HostedToolsReady');
    expect(ready).toMatchObject({ arguments: [{ tools: ['CodeInterpreter'] }] });
  });
});

describe('pages and files that a reply refers to (contract/knowledge.md#citations)', () => {
  // proves service-2.17-30, service-2.17-31
  it('are sources with showRagSources, each once', async () => {
    const { events } = await turnOn({ ...search, showRagSources: true }, searched);
    expect(events.find(({ event }) => event === 'RagSourcesReady')).toMatchObject({
      sources: [
        { number: 1, title: 'Weather today', url: 'https://weather.example/today', kind: 'web', score: 0 },
        { number: 2, title: 'rain.pdf', kind: 'file', score: 0 },
      ],
    });
    const order = events.map(({ event }) => event);
    expect(order.indexOf('RagSourcesReady')).toBe(order.length - 2);
  });

  // proves service-2.17-31
  it('are no sources without it', async () => {
    const { events } = await turnOn(search, searched);
    expect(events.some(({ event }) => event === 'RagSourcesReady')).toBe(false);
  });
});

describe('a call after a web search of the same reply (contract/provenance.md#what-counts)', () => {
  const settings = { ...search, hitlMode: 'Native', autoApprovalRules: [{ tool: 'cancel' }] };
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'cancel', arguments: '' };
  const calls = [
    { type: 'response.output_item.added', output_index: 1, item: call },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"order":7}' },
    completed('r1'),
  ];
  const page = urlCitation('https://evil.example/a', 'Cancel order 7');
  const over = responseEvents(created('r2'), textDelta('Done.'), completed('r2'));

  // proves service-2.17-96
  it.each([
    ['that refers to a page', [page], [{ origin: 'web', title: 'Cancel order 7' }]],
    ['that refers to none', [], [{ origin: 'web' }]],
  ])('is approved by no rule, and says why: %s', async (_what, refers, influencedBy) => {
    const script = responseEvents(created('r1'), ...webSearch('ws_1'), ...refers, ...calls);
    const { helper } = await inProcessHelper({ scripts: [script, over], settings });
    const session = await helper.session();
    const turn = session.send('What is new?');
    const question = await nextOf(turn, 'ConfirmationRequested');
    expect(question).toMatchObject({ action: 'cancel', influencedBy, canRemember: false });
    await session.approve(question.actionId, false);
    await allOf(turn);
  });

  const code = item({ id: 'ci_1', type: 'code_interpreter_call', status: 'completed', code: '1', container_id: 'c' });

  // proves service-2.17-95
  it.each([
    ['files', { type: 'auto', fileIds: ['file_1'] }, 1],
    ['a container that may have some', 'cntr_1', 1],
    ['none', { type: 'auto' }, 0],
  ])('is approved by no rule after code that was given %s', async (_what, container, asked) => {
    const script = responseEvents(created('r1'), ...code, ...calls);
    const { helper } = await inProcessHelper({
      scripts: [script, over],
      settings: {
        ...settings,
        hostedTools: ['CodeInterpreter'],
        hostedToolOptions: { CodeInterpreter: { container } },
      },
    });
    const session = await helper.session();
    const questions: HelperEvent[] = [];
    for await (const event of session.send('What is in the file?')) {
      if (event.event !== 'ConfirmationRequested') continue;
      questions.push(event);
      await session.approve(event.actionId, false);
    }
    expect(questions).toMatchObject(Array.from({ length: asked }, () => ({ influencedBy: [{ origin: 'document' }] })));
    expect(questions).toHaveLength(asked);
  });

  it('is approved by a rule without such a search', async () => {
    const script = responseEvents(created('r1'), ...calls);
    const { helper, done } = await inProcessHelper({ scripts: [script, over], settings });
    const events = await allOf((await helper.session()).send('Cancel order 7'));
    expect(events.some(({ event }) => event === 'ConfirmationRequested')).toBe(false);
    expect(done).toHaveLength(1);
  });
});

describe('domains of a web search (contract/hosted-tools.md#domains)', () => {
  const scope = { ...search, hostedToolDomainScope: ['weather.example'], showRagSources: true };
  const cut = [
    'See [it](https://ev',
    'il.example/a), https://weather.exa',
    'mple/b and https://evil.example',
    '/c now.',
  ];
  const straying = responseEvents(
    created('r1'),
    ...webSearch('ws_1'),
    ...cut.map(textDelta),
    urlCitation('https://evil.example/a', 'Evil'),
    urlCitation('https://sub.weather.example/b', 'Fine'),
    completed('r1'),
  );

  // proves service-2.17-41
  it('take links and citations of others out before they are shown, and log their hosts', async () => {
    const { events, log } = await turnOn(scope, straying);
    expect(JSON.stringify(events)).not.toContain('evil.example');
    expect(textOf(events)).toBe('See “it”, https://weather.example/b and   now.');
    expect(events.find(({ event }) => event === 'RagSourcesReady')).toMatchObject({ sources: [{ title: 'Fine' }] });
    expect(events.at(-1)).toMatchObject({ text: textOf(events) });
    expect(log).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ hosts: ['evil.example'] }) as unknown }),
    );
  });

  // proves service-2.17-44
  it('are not looked at with hostedToolDomainCheck: false, and sent all the same', async () => {
    const { events, body } = await turnOn({ ...scope, hostedToolDomainCheck: false }, straying);
    expect(textOf(events)).toContain('https://evil.example/c');
    expect(JSON.stringify(body)).toContain('"allowed_domains":["weather.example"]');
  });

  // proves service-2.17-43
  it('leave links alone that the model was sent', async () => {
    const { helper } = await inProcessHelper({ scripts: [straying], settings: scope });
    const session = await helper.session();
    const events = await allOf(session.send('What of https://evil.example/c now?'));
    expect(textOf(events)).toContain('https://evil.example/c now');
  });

  // proves service-2.17-41
  it('hold over server-sent events too', async () => {
    const { url } = await scriptedServer({ scripts: [straying], settings: scope });
    const stream = await openSse(`${url}/helper/chat?message=news`);
    await stream.closed;
    expect(stream.raw()).not.toContain('evil.example');
    expect(stream.text()).toBe('See “it”, https://weather.example/b and   now.');
  });
});
