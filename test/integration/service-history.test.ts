import { HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failing, type ModelScript, sending, startScriptedModel } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';

/** A reply of the Responses API that the provider keeps under `id`. */
function replying(id: string, text: string): ModelScript {
  const response = { id, model: 'gpt-scripted' };
  return events(
    { type: 'response.created', response },
    { type: 'response.output_text.delta', delta: text, content_index: 0, output_index: 0 },
    completed(id),
  );
}

/** A reply that calls an action. */
function calling(id: string, name: string): ModelScript {
  const item = { type: 'function_call', id: 'fc', call_id: 'of-the-provider', name, arguments: '' };
  return events(
    { type: 'response.created', response: { id, model: 'gpt-scripted' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{}' },
    completed(id),
  );
}

/** The answer of a provider that has deleted the earlier reply. */
const forgotten: ModelScript = (exchange) => {
  exchange.head(400, { 'content-type': 'application/json' });
  const error = { message: 'gone', param: 'previous_response_id', code: 'previous_response_not_found' };
  return exchange.send(JSON.stringify({ error })).then(() => exchange.end());
};

function completed(id: string): object {
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  return {
    type: 'response.completed',
    response: { id, object: 'response', model: 'gpt-scripted', status: 'completed', output: [], usage },
  };
}

function events(...list: readonly object[]): ModelScript {
  return sending(
    ...list.map((event) => `event: ${String(Reflect.get(event, 'type'))}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

const plugin = `export default {
  name: 'shop',
  actions: [{
    name: 'opening_hours',
    description: 'Tells when the shop is open.',
    parameters: { type: 'object', additionalProperties: true },
    readOnly: true,
    execute: () => 'nine to five',
  }],
};`;

async function serverOn(scripts: readonly ModelScript[], more: object = {}): Promise<ScriptedServer> {
  const overrides = { HELPER__MODELS__MAIN__API: 'responses' };
  return scriptedServer({ scripts, plugin, settings: { useServiceManagedHistory: true, ...more }, overrides });
}

async function connect(url: string): Promise<HubConnection> {
  const hub = new HubConnectionBuilder().withUrl(`${url}/helper-hub`).configureLogging(LogLevel.None).build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

/** The request to the provider: the roles and texts of the input, and the id of the reply that the request continues. */
async function sentAs(server: ScriptedServer, index: number): Promise<{ previous: unknown; input: readonly string[] }> {
  const { body } = await server.model.request(index);
  const input = body['input'] as readonly Record<string, unknown>[]; // the Responses API has a list
  return {
    previous: body['previous_response_id'],
    input: input.map((item) => String(item['role'] ?? item['type'])),
  };
}

describe('history that the provider keeps (contract/sessions.md#history-of-the-provider)', () => {
  // proves service-2.9-50
  it('sends each message without those before it', async () => {
    const server = await serverOn([replying('resp_1', 'Hello.'), replying('resp_2', 'Bye.')]);
    const hub = await connect(server.url);
    await hub.invoke('SendMessage', 'hello');
    await hub.invoke('SendMessage', 'bye');
    expect(await sentAs(server, 0)).toEqual({ previous: undefined, input: ['system', 'user'] });
    expect(await sentAs(server, 1)).toEqual({ previous: 'resp_1', input: ['user'] });
  });

  // proves service-2.9-50
  it('sends the calls of a turn together with their results', async () => {
    const scripts = [replying('resp_1', 'Hello.'), calling('resp_2', 'opening_hours'), replying('resp_3', 'At nine.')];
    const server = await serverOn([...scripts, replying('resp_4', 'Bye.')]);
    const hub = await connect(server.url);
    for (const message of ['hello', 'when?', 'bye']) await hub.invoke('SendMessage', message);
    expect(await sentAs(server, 2)).toEqual({
      previous: 'resp_1',
      input: ['user', 'assistant', 'function_call', 'function_call_output'],
    });
    expect(await sentAs(server, 3)).toEqual({ previous: 'resp_3', input: ['user'] });
  });

  // proves service-2.9-53, service-2.9-55
  it('sends the whole conversation where the provider has lost it', async () => {
    const server = await serverOn([replying('resp_1', 'Hello.'), forgotten, replying('resp_2', 'Bye.')]);
    const hub = await connect(server.url);
    await hub.invoke('SendMessage', 'hello');
    await hub.invoke('SendMessage', 'bye');
    expect(await sentAs(server, 2)).toEqual({ previous: undefined, input: ['system', 'user', 'assistant', 'user'] });
  });

  // proves service-2.9-53
  it('sends the whole conversation to a fallback that keeps none', async () => {
    const [main, other] = [await startScriptedModel(), await startScriptedModel()];
    onTestFinished(() => Promise.all([main.close(), other.close()]).then(() => undefined));
    const entry = { provider: 'openai', model: 'scripted', apiKey: 'none' };
    const server = await serverOn([], {
      models: {
        main: { ...entry, baseUrl: main.url, api: 'responses', fallbacks: ['other'] },
        other: { ...entry, baseUrl: other.url },
      },
    });
    main.script(replying('resp_1', 'Hello.'), failing(401));
    const hub = await connect(server.url);
    await hub.invoke('SendMessage', 'hello');
    await hub.invoke('SendMessage', 'bye');
    const { body, path } = await other.request(0);
    expect([path, (body['messages'] as readonly unknown[]).length]).toEqual(['/v1/chat/completions', 4]);
  });

  // proves service-2.9-52
  it('is neither compacted nor reduced', async () => {
    const reducing = `export default { name: 'short', providers: { chatReducer: () => [] } };`;
    const settings = { useServiceManagedHistory: true, enableCompaction: true, compactionTokenThreshold: 100 };
    const overrides = { HELPER__MODELS__MAIN__API: 'responses' };
    const scripts = [replying('resp_1', 'Hello. '.repeat(200)), replying('resp_2', 'Bye.')];
    const server = await scriptedServer({ scripts, plugin: reducing, settings, overrides });
    const hub = await connect(server.url);
    await hub.invoke('SendMessage', 'hello');
    await hub.invoke('SendMessage', 'bye');
    expect(await sentAs(server, 1)).toEqual({ previous: 'resp_1', input: ['user'] });
  });

  // proves service-2.9-20
  it('goes on from a snapshot, which a server that keeps history itself refuses', async () => {
    const keys = { dataProtection: { keys: [Buffer.alloc(32, 7).toString('base64')] } };
    const server = await serverOn([replying('resp_1', 'Hello.'), replying('resp_2', 'Bye.')], keys);
    const hub = await connect(server.url);
    await hub.invoke('SendMessage', 'hello');
    const snapshot = await (await fetch(sessionOf(server.url, hub))).text();
    const [later, other] = [await connect(server.url), await scriptedServer({ scripts: [], plugin, settings: keys })];
    expect((await putBack(server.url, later, snapshot)).status).toBe(200);
    await later.invoke('SendMessage', 'bye');
    expect(await sentAs(server, 1)).toEqual({ previous: 'resp_1', input: ['user'] });
    const refused = await putBack(other.url, await connect(other.url), snapshot);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { detail: expect.stringContaining('useServiceManagedHistory') },
    ]);
  });
});

function sessionOf(url: string, hub: HubConnection): string {
  return `${url}/helper/session?connectionId=${String(hub.connectionId)}`;
}

function putBack(url: string, hub: HubConnection, body: string): Promise<Response> {
  return fetch(sessionOf(url, hub), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
