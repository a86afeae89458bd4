import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { statusOfHost } from '../support/mcp/status-of-host.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const jwt = { auth: { jwt: { secret: tokenSecret } } };

async function opened(settings: object = {}, scripts: readonly ModelScript[] = []) {
  const more = { mcpServerEnabled: true, ...settings };
  const { url, model, server } = await scriptedServer({ scripts, plugin: mcpPlugin, settings: more });
  return { address: `${url}/mcp`, model, server };
}

async function started(settings: object = {}): Promise<string> {
  return (await opened(settings)).address;
}

type Era = 'modern' | 'legacy' | 'v1';

/** A client of this era, connected as its package connects. */
async function connected(
  address: string,
  { era = 'modern', token }: { era?: Era; token?: string } = {},
): Promise<Client> {
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const info = { name: 'test', version: '1' };
  if (era === 'v1') {
    const old = new OldClient(info);
    await old.connect(new OldTransport(new URL(address), { requestInit }));
    onTestFinished(() => old.close());
    return old as unknown as Client; // the members that the tests use are the same
  }
  const client = new Client(info, era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

async function names(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

const published = [
  'get_order',
  'get_words',
  'get_failing',
  'get_withheld',
  'get_slowly',
  'get_steps',
  'get_card',
  'get_parts',
  'get_cut_parts',
  'get_listed_parts',
  'ask_page',
  'get_odd',
  'get_stuck',
  'get_late',
  'note_visit',
];

/** An action whose schema is of draft-07. */
const olderPlugin = `
export default {
  name: 'older',
  actions: [{
    name: 'get_pair',
    description: 'Looks up a pair.',
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] } },
    },
    readOnly: true,
    execute: () => 'found',
  }],
};
`;

describe('the MCP server (contract/mcp-server.md)', () => {
  // proves service-4.3-24
  it('tells the draft of a schema as its action declares it, and models none', async () => {
    const settings = { mcpServerEnabled: true };
    const { url, model } = await scriptedServer({ scripts: [saying('Hello.')], plugin: olderPlugin, settings });
    const client = await connected(`${url}/mcp`);
    expect((await client.listTools()).tools[0]?.inputSchema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { pair: { items: [{ type: 'string' }, { type: 'integer' }] } },
    });
    await (await openSse(`${url}/helper/chat`, { body: { message: 'hi' } })).next('end');
    const told = JSON.stringify(model.requests[0]?.body['tools']);
    expect(told).toContain('get_pair');
    expect(told).not.toContain('$schema');
  });

  // proves service-2.13-01, service-2.13-02, service-4.3-24, service-4.3-25
  it.each<[Era]>([['modern'], ['legacy'], ['v1']])('lists and calls for an official client: %s', async (era) => {
    const client = await connected(await started(), { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(published);
    expect(tools[0]).toMatchObject({
      title: 'Look up an order',
      description: 'Does get_order.',
      inputSchema: { type: 'object', required: ['id'] },
      annotations: { readOnlyHint: true },
    });
    const result = await client.callTool({ name: 'get_order', arguments: { id: 7 } });
    expect(result).toMatchObject({ structuredContent: { id: 7, status: 'shipped' } });
    expect(result.content).toEqual([{ type: 'text', text: '{"id":7,"status":"shipped"}' }]);
    expect(result.isError).toBeFalsy();
    expect((await client.callTool({ name: 'get_words' })).content).toEqual([{ type: 'text', text: 'plain words' }]);
  });

  // proves service-4.3-24
  it('says of a write that is declared to ask nobody that it is no read', async () => {
    const { tools } = await (await connected(await started())).listTools();
    expect(tools.find(({ name }) => name === 'note_visit')?.annotations?.readOnlyHint).toBe(false);
  });

  // proves service-4.3-20, service-4.3-21, service-4.3-22
  it.each([
    ['cancel_order'],
    ['close_shop'],
    ['erase_all'],
    ['send_mail'],
    ['get_salaries'],
    ['navigate_to_page'],
    ['nothing'],
  ])('neither publishes nor runs what would ask, needs a role or is no action of the host: %s', async (name) => {
    const client = await connected(await started());
    await expect(client.callTool({ name, arguments: { to: 'a@b.example' } })).rejects.toThrow(
      `There is no tool ${name}.`,
    );
  });

  // proves service-4.3-20
  it('publishes all that is not read-only no more once requiresApproval says so', async () => {
    expect(await names(await connected(await started({ requiresApproval: ['get_*'] })))).toEqual([
      'ask_page',
      'note_visit',
    ]);
  });

  // proves service-11-64
  it('mends what the model of another program has written nearly right', async () => {
    const client = await connected(await started());
    const { isError, content } = await client.callTool({ name: 'get_order', arguments: { id: '7' } });
    expect(isError).not.toBe(true);
    expect(JSON.stringify(content)).toContain('7');
  });

  // proves service-2.8-60, service-4.3-26
  it('answers faults as results that are errors, in words for the model', async () => {
    const client = await connected(await started());
    const told = async (name: string, args: Record<string, unknown> = {}) => {
      const { isError, content } = await client.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      return JSON.stringify(content);
    };
    expect(await told('get_order', { id: 'seven' })).toContain('The arguments do not fit');
    expect(await told('get_failing')).toContain('the warehouse is closed');
    const withheld = await told('get_withheld');
    expect(withheld).toContain('withheld by the host');
    expect(withheld).not.toContain('hidden reason');
  });

  // proves service-4.3-53
  it.each<[Era]>([['modern'], ['legacy'], ['v1']])('passes the parts of a result on as they are: %s', async (era) => {
    const client = await connected(await started(), { era });
    const { content, structuredContent } = await client.callTool({ name: 'get_parts' });
    expect(content).toEqual([
      { type: 'text', text: 'A map' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'doc:1', mimeType: 'text/plain', text: 'Terms' } },
    ]);
    expect(structuredContent).toBeUndefined();
  });

  // proves service-4.3-53
  it('sends what onToolResult has made of the parts of a result', async () => {
    const client = await connected(await started());
    const textOf = async (name: string) => (await client.callTool({ name })).content;
    expect(await textOf('get_cut_parts')).toEqual([{ type: 'text', text: 'cut' }]);
    expect(await textOf('get_listed_parts')).toEqual([{ type: 'text', text: '["one","two"]' }]);
  });

  // proves extending-1-50
  it('gives the model of a turn the texts of the parts, and a word for all else', async () => {
    const scripts = [calling({ name: 'get_parts', arguments: {} }), saying('Done.')];
    const { address, model } = await opened({}, scripts);
    const chat = await openSse(`${new URL(address).origin}/helper/chat`, { body: { message: 'Show me the map' } });
    expect((await chat.next('end')).data).toMatchObject({ status: 'completed' });
    const sent = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(sent).toContain(
      JSON.stringify('A map\n[an image, which is not shown]\n[a sound, which is not played]\nTerms').slice(1, -1),
    );
    expect(sent).not.toContain('aGk=');
  });

  // proves service-4.3-25
  it('leaves out what only a page could show, and fails what needs one', async () => {
    const client = await connected(await started());
    expect(await client.callTool({ name: 'get_card' })).toMatchObject({ structuredContent: { total: 3 } });
    const { isError, content } = await client.callTool({ name: 'ask_page' });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('needs the page of the user')]);
  });

  // proves service-4.3-23
  it('says that a list is for its caller alone, and may not be kept', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await post(
      await started(),
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      { method: 'tools/list', params: { _meta: meta } },
    );
    expect(await response.text()).toMatch(/"ttlMs":0,"cacheScope":"private"/);
  });

  // proves service-2.13-03
  it('refuses endpoints.mcp while mcpServerEnabled is false', async () => {
    const starting = started({ mcpServerEnabled: false, endpoints: { mcp: { roles: ['x'] } } });
    await expect(starting).rejects.toThrow('endpoints.mcp: has no effect while mcpServerEnabled is false');
  });

  // proves configuration-6-30, service-2.13-04
  it('knows nobody without mcpCallerPrincipal, whatever token comes', async () => {
    const address = await started(jwt);
    const token = await makeToken({ sub: 'ann', role: 'Payroll' });
    expect(await names(await connected(address, { token }))).toEqual(published);
    await (await connected(address, { token })).callTool({ name: 'get_order', arguments: { id: 1 } });
    expect(seen().at(-1)).toEqual({ user: '', turnId: null, conversationId: null, channel: 'mcp' });
  });

  // proves service-2.13-04, service-4.3-23
  it('publishes an action with roles to a holder of one of them, with mcpCallerPrincipal: fromToken', async () => {
    const address = await started({ ...jwt, mcpCallerPrincipal: 'fromToken' });
    const [ann, bob] = [
      await makeToken({ sub: 'ann', role: 'Payroll' }),
      await makeToken({ sub: 'bob', role: 'Sales' }),
    ];
    const holder = await connected(address, { token: ann });
    expect(await names(holder)).toContain('get_salaries');
    expect((await holder.callTool({ name: 'get_salaries' })).structuredContent).toEqual({ done: 'get_salaries' });
    await holder.callTool({ name: 'get_order', arguments: { id: 1 } });
    expect(seen().at(-1)).toMatchObject({ user: 'ann' });
    const other = await connected(address, { token: bob });
    expect(await names(other)).toEqual(published);
    await expect(other.callTool({ name: 'get_salaries' })).rejects.toThrow('There is no tool');
    expect(await names(await connected(address))).toEqual(published);
    const nameless = await connected(address, { token: await makeToken({ role: 'Payroll' }) });
    expect(await names(nameless)).toContain('get_salaries');
    await nameless.callTool({ name: 'get_order', arguments: { id: 1 } });
    expect(seen().at(-1)).toMatchObject({ user: '' });
  });

  // proves service-8-20
  it('counts calls per user apart from messages, and answers one too many as an error result', async () => {
    const { address, model } = await opened({ ...jwt, rateLimitPerUser: 2 }, [saying('Hello.')]);
    const [ann, bob] = [await makeToken({ sub: 'ann' }), await makeToken({ sub: 'bob' })];
    const client = await connected(address, { token: ann });
    const call = async (who: Client) => (await who.callTool({ name: 'get_words' })).isError === true;
    expect([await call(client), await call(client), await call(client)]).toEqual([false, false, true]);
    expect(await call(await connected(address, { token: bob }))).toBe(false);
    const chat = address.replace('/mcp', '/helper/chat?message=x');
    const turn = await fetch(chat, { headers: { authorization: `Bearer ${ann}` } });
    expect(await turn.text()).toContain('Hello.');
    expect(model.requests).toHaveLength(1);
  });

  // proves service-4.3-27
  it('tells progress to a client that asks for it', async () => {
    const client = await connected(await started());
    const told: string[] = [];
    const onprogress = ({ message = '' }: { message?: string | undefined }) => void told.push(message);
    await client.callTool({ name: 'get_steps' }, { onprogress });
    await vi.waitFor(() => {
      expect(told).toEqual(['one', 'two']);
    });
  });

  // proves service-4.3-54
  it('sends nothing of what an action logs', async () => {
    const client = await connected(await started(), { era: 'legacy' });
    const received: unknown[] = [];
    const { transport } = client;
    if (transport === undefined) throw new Error('the client is not connected');
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      received.push(message);
      onmessage?.(message, extra);
    };
    await client.callTool({ name: 'get_steps' }, { onprogress: () => undefined });
    expect(JSON.stringify(received)).toContain('walked');
    expect(JSON.stringify(received)).not.toContain('cellar');
    expect(client.getServerCapabilities()).not.toHaveProperty('logging');
  });

  // proves service-4.3-28
  it.each<[Era]>([['modern'], ['legacy']])('stops an action whose caller has gone: %s', async (era) => {
    const client = await connected(await started(), { era });
    const gone = new AbortController();
    const begun = Promise.withResolvers<undefined>();
    const call = client.callTool(
      { name: 'get_slowly' },
      { signal: gone.signal, onprogress: () => begun.resolve(undefined) },
    );
    const ended = expect(call).rejects.toThrow();
    await begun.promise;
    // In the older era a cancelled request keeps its connection, and only an end of the connection tells the server.
    if (era === 'legacy') await client.close();
    else gone.abort();
    await ended;
    await vi.waitFor(() => {
      expect(state().aborted).toBe(1);
    });
  });

  // proves wire-1-30
  it('refuses websites', async () => {
    const address = await started({ cors: { default: { origins: ['https://shop.example'] } } });
    const ask = (headers: Record<string, string>) => statusOf(address, headers);
    expect(await ask({})).toBe(200);
    expect(await ask({ origin: 'https://evil.example' })).toBe(403);
    // cors.default opens the chat, and not this endpoint.
    expect(await ask({ origin: 'https://shop.example' })).toBe(403);
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  // proves configuration-5-30
  it('serves signed-in users only with requireAuthorization', async () => {
    const address = await started({ ...jwt, endpoints: { mcp: { requireAuthorization: true } } });
    expect(await statusOf(address)).toBe(401);
    expect(await names(await connected(address, { token: await makeToken({ sub: 'ann' }) }))).toEqual(published);
  });

  // proves configuration-5-30, service-2.13-01
  it('serves holders of endpoints.mcp.roles only, at endpoints.mcp.path', async () => {
    const mcp = { roles: ['Machine'], path: '/tools' };
    const address = (await started({ ...jwt, endpoints: { mcp } })).replace('/mcp', '/tools');
    const tokens = [await makeToken({ sub: 'ann', role: 'Machine' }), await makeToken({ sub: 'bob' })];
    const [holder, other] = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
    expect([await statusOf(address, other), await statusOf(address, holder)]).toEqual([403, 200]);
  });

  // proves service-5-30
  it.each([
    ['one issuer', { issuer: 'https://id.example', audience: 'helper' }, ['https://id.example']],
    [
      'several',
      [{ issuer: 'https://id.example' }, { preset: 'entra', issuer: 'https://login.example/organizations/v2.0' }],
      ['https://id.example', 'https://login.example/organizations/v2.0'],
    ],
    [
      'one of several tenants',
      {
        preset: 'keycloak',
        issuer: 'https://id.example/realms/{tenantid}',
        tenants: ['north', 'south'],
        clients: 'web',
      },
      ['https://id.example/realms/north', 'https://id.example/realms/south'],
    ],
  ])('says where users sign in when a token is missing: %s', async (_title, entries, servers) => {
    const auth = { jwt: entries };
    const address = await started({ auth, endpoints: { mcp: { requireAuthorization: true } } });
    const { headers } = await post(address);
    const place = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(place).toBe(address.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'));
    expect(await (await fetch(place)).json()).toEqual({
      resource: address,
      authorization_servers: servers,
      bearer_methods_supported: ['header'],
    });
  });

  // proves service-5-31
  it('says of a token that is not valid that it is not, so that a client gets another one', async () => {
    const address = await started({ ...jwt, endpoints: { mcp: { requireAuthorization: true } } });
    const told = async (headers: Record<string, string>) =>
      (await post(address, headers)).headers.get('www-authenticate');
    expect(await told({ authorization: 'Bearer no.token.atall' })).toBe('Bearer error="invalid_token"');
    expect(await told({})).toBe('Bearer');
  });

  // proves configuration-5-30
  it('answers 429 above endpoints.mcp.rateLimit', async () => {
    const address = await started({ endpoints: { mcp: { rateLimit: { max: 1, window: '1h' } } } });
    expect([await statusOf(address), await statusOf(address)]).toEqual([200, 429]);
  });

  // proves wire-1-30
  it('refuses a name that is not of this server, whatever address the request names', async () => {
    const address = await started();
    expect(await statusOfHost(address, 'evil.example')).toBe(403);
    expect(await statusOfHost(address, 'localhost')).toBe(200);
  });

  // proves configuration-5-30
  it('takes no cookie for a token', async () => {
    const auth = { jwt: { ...jwt.auth.jwt, cookie: 'session' } };
    const address = await started({ auth, endpoints: { mcp: { requireAuthorization: true } } });
    const cookie = `session=${await makeToken({ sub: 'ann' })}`;
    expect(await statusOf(address, { cookie, 'sec-fetch-site': 'same-origin' })).toBe(401);
  });

  // proves service-2.13-02
  it('serves one message in each request, and no batches', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
    ];
    const response = await fetch(await started(), {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  });

  // proves service-4.3-74
  it.each([
    ['icons', { clientInfo: { name: 'x', version: '1', icons: Array(300).fill(0) } }],
    [
      'capabilities',
      {
        capabilities: {
          experimental: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x${String(at)}`, 0])),
        },
      },
    ],
  ])('refuses a request with very many values beside arguments, in a short answer: %s', async (_title, params) => {
    const response = await fetch(await started(), {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text.length).toBeLessThan(200);
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32600 } });
  });

  // proves wire-10-30
  it('waits for the calls that run when it closes, and stops those that take longer', async () => {
    const { address, server } = await opened({ server: { shutdownGrace: '50ms' } });
    const client = await connected(address);
    const begun = Promise.withResolvers<undefined>();
    const call = client.callTool({ name: 'get_slowly' }, { onprogress: () => begun.resolve(undefined) });
    const ended = Promise.allSettled([call]);
    await begun.promise;
    await server.close();
    await ended;
    expect(state().aborted).toBe(1);
  });

  // proves wire-10-30
  it('closes although a hook never answers', async () => {
    const { address, server } = await opened({ server: { shutdownGrace: '50ms' } });
    const client = await connected(address);
    const begun = Promise.withResolvers<undefined>();
    const call = client.callTool({ name: 'get_stuck' }, { onprogress: () => begun.resolve(undefined) });
    const ended = Promise.allSettled([call]);
    await begun.promise;
    await server.close();
    await ended;
  });

  // proves service-4.3-26
  it('tells a time that ran out as an error result', async () => {
    const client = await connected(await started());
    const { isError, content } = await client.callTool({ name: 'get_late' });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('did not answer in time')]);
  });

  it('withholds a result that a hook has made into something that is no JSON', async () => {
    const client = await connected(await started());
    const { isError, content } = await client.callTool({ name: 'get_odd' });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('withheld')]);
  });

  // proves service-2.13-01
  it('is not there unless mcpServerEnabled is true', async () => {
    const address = await started({ mcpServerEnabled: false });
    expect(await statusOf(address)).toBe(404);
  });

  // proves service-4.3-26
  it('stops what the kill switch stops', async () => {
    const client = await connected(await started({ killSwitch: { tools: ['get_words'] } }));
    const { isError, content } = await client.callTool({ name: 'get_words' });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('switched this action off')]);
  });
});

interface PluginState {
  readonly seen: readonly object[];
  readonly aborted: number;
}

/** What the plugin of the last server has seen. */
function state(): PluginState {
  return Reflect.get(globalThis, 'mcpPluginState') as PluginState; // the plugin sets it
}

function seen(): readonly object[] {
  return state().seen;
}

/** A request of the older era that asks for nothing. */
function post(address: string, headers: Record<string, string> = {}, more: object = {}): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  return fetch(address, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', ...more }),
  });
}

async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  return (await post(address, headers)).status;
}
