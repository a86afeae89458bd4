import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpRequest } from '../../src/plugin-api/mcp-caller.ts';
import { loggedServer, statusOf } from '../support/logged-server.ts';
import {
  confirmingClient,
  linkIn,
  ownAddress,
  PageOfQuestion,
  sessionCookie,
} from '../support/mcp/confirming-server.ts';
import { realServer } from '../support/real-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** What the hook of a test's plugin is asked, and what it answers. The plugin runs in this process. */
const bridge = globalThis as { answerMcpCaller?: (request: McpRequest, signal: AbortSignal) => unknown };

const plugin = (name: string, answers: string) => `
export default {
  name: '${name}',
  actions: [
    { name: 'get_order', description: 'An order.', parameters: { type: 'object' }, readOnly: true, execute: () => 'shipped' },
    {
      name: 'get_salaries', description: 'Salaries.', parameters: { type: 'object' }, readOnly: true,
      requiredRoles: ['Payroll'], execute: (_, { user }) => ({ id: user.id, name: user.name, claims: user.claims }),
    },
    {
      name: 'cancel_order', description: 'Cancels.', parameters: { type: 'object', properties: { id: { type: 'integer' } } },
      execute: () => 'cancelled',
    },
  ],
  hooks: { mcpCallerPrincipal: ${answers} },
};
`;

function folderWith(plugins: Readonly<Record<string, string>>, settings: object): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-callers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'plugins'));
  for (const [name, text] of Object.entries(plugins))
    writeFileSync(join(folder, 'plugins', `${name}.plugin.mjs`), text);
  const configuration = {
    ...{ appName: 'Shop', chatClient: 'demo', models: { demo: { provider: 'demo' } }, mcpServerEnabled: true },
    ...{ actions: { plugins: [join(folder, 'plugins')] }, ...settings },
  };
  const file = join(folder, 'helper.yaml');
  writeFileSync(file, JSON.stringify(configuration));
  return { folder, file };
}

/** A server whose plugin asks this function who calls. */
async function opened(
  answer: (request: McpRequest, signal: AbortSignal) => unknown,
  { settings = {}, environment = {} }: { settings?: object; environment?: Record<string, string> } = {},
): Promise<string> {
  bridge.answerMcpCaller = answer;
  onTestFinished(() => void delete bridge.answerMcpCaller);
  const { file } = folderWith(
    { desk: plugin('desk', '(request, signal) => globalThis.answerMcpCaller(request, signal)') },
    settings,
  );
  const { url } = await realServer(environment, file);
  return `${url}/mcp`;
}

async function connected(address: string, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** What a program is answered that speaks as the protocol wants it. */
function asked(address: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
}

const callers: Readonly<Record<string, object>> = {
  'key-of-payroll': { id: 'payroll', name: 'Payroll robot', roles: ['Payroll'], claims: { site: 7 } },
  'key-of-desk': { id: 'desk' },
};
const byKey = ({ headers }: McpRequest): object | null => callers[headers['x-api-key'] ?? ''] ?? null;

describe('hooks.mcpCallerPrincipal (contract/mcp-server.md#who-may-ask)', () => {
  // proves service-5-32
  it('tells by an API key what a program may list and call', async () => {
    const address = await opened(byKey);
    const payroll = await connected(address, { 'x-api-key': 'key-of-payroll' });
    const desk = await connected(address, { 'x-api-key': 'key-of-desk' });

    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(payroll)).toEqual(['get_order', 'get_salaries']);
    expect(await names(desk)).toEqual(['get_order']);
    const { structuredContent } = await payroll.callTool({ name: 'get_salaries' });
    expect(structuredContent).toEqual({
      id: 'payroll',
      name: 'Payroll robot',
      claims: { site: 7, sub: 'payroll' },
    });
    await expect(desk.callTool({ name: 'get_salaries' })).rejects.toThrow('There is no tool get_salaries.');
  });

  // proves service-5-32
  it('reads no token there: what is in Authorization is for the hook, and cookies are not', async () => {
    const requests: McpRequest[] = [];
    const address = await opened(
      (request) => {
        requests.push(request);
        return request.headers['authorization'] === 'Bearer a-key' ? { id: 'program' } : null;
      },
      {
        settings: {
          auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } },
          endpoints: { mcp: { requireAuthorization: true } },
        },
      },
    );
    const cookie = `${sessionCookie}=secret-of-a-page`;
    expect(
      (await asked(address, { authorization: 'Bearer a-key', cookie, 'proxy-authorization': 'Basic x' })).status,
    ).toBe(200);
    expect((await asked(address, { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` })).status).toBe(401);
    expect(JSON.stringify(requests[0])).not.toContain('secret-of-a-page');
    expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(requests[0]?.address).toBe('127.0.0.1');
  });

  // proves service-5-33
  it.each<[string, () => unknown]>([
    ['null', () => null],
    ['nothing', () => undefined],
    [
      'an exception',
      () => {
        throw new Error('broken');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('broken'))],
    ['a text', () => 'ann'],
    ['a list', () => ['ann']],
    ['no id', () => ({ roles: ['Payroll'] })],
    ['an empty id', () => ({ id: '' })],
    ['half a character', () => ({ id: 'eve\ud800' })],
    ['a long id', () => ({ id: 'x'.repeat(256) })],
    ['one role as a text', () => ({ id: 'ann', roles: 'Payroll' })],
    ['a role that is no text', () => ({ id: 'ann', roles: [7] })],
    ['too many roles', () => ({ id: 'ann', roles: Array.from({ length: 1_001 }, String) })],
    ['claims that are no object', () => ({ id: 'ann', claims: 'site' })],
    ['large claims', () => ({ id: 'ann', claims: { text: 'x'.repeat(65 * 1024) } })],
  ])('refuses a request for which the hook gives %s', async (_, answer) => {
    const address = await opened(answer);
    const response = await asked(address, { 'x-api-key': 'key-of-payroll' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 'unauthenticated', detail: 'Sign in to use this.' });
  });

  // proves service-5-33
  it('refuses after five seconds without an answer, and aborts the signal', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
    const address = await opened((_request, signal) => {
      resolve(signal);
      return new Promise(() => undefined);
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = asked(address);
    const signal = await begun;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal.aborted).toBe(true);
    expect((await response).status).toBe(401);
  });

  // proves service-5-33
  it('aborts the signal when the caller has gone', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
    const address = await opened((_request, signal) => {
      resolve(signal);
      return new Promise(() => undefined);
    });
    const leaving = new AbortController();
    const request = fetch(address, { method: 'POST', signal: leaving.signal }).catch(() => undefined);
    const signal = await begun;
    const aborted = new Promise((done) => {
      signal.addEventListener('abort', done);
    });
    leaving.abort();
    await Promise.all([aborted, request]);
  });

  // proves service-5-33
  it('writes what has failed into the log, and nothing that the caller has sent', async () => {
    const { folder } = folderWith(
      {
        desk: plugin(
          'desk',
          "({ headers }) => { throw Object.assign(new TypeError('no ' + headers['x-api-key']), { code: 'EDESK', headers }); }",
        ),
      },
      {},
    );
    const { url, nextLine, printed } = await loggedServer({
      HELPER__MCPSERVERENABLED: 'true',
      HELPER__ACTIONS__PLUGINS: JSON.stringify([join(folder, 'plugins')]),
    });
    expect(await statusOf(`${url}/mcp`, { method: 'POST', headers: { 'x-api-key': 'very-secret-key' } })).toBe(401);
    expect(await nextLine()).toMatchObject({ what: 'authentication_failed', reason: 'wrong_token', level: 'warn' });
    const line = printed()
      .split('\n')
      .find((text) => text.includes('hooks.mcpCallerPrincipal failed'));
    expect(line).toMatch(/"plugin":"desk".*"reason":"TypeError","code":"EDESK","at":"at .*desk\.plugin\.mjs/);
    for (let count = 0; count < 30; count += 1) await statusOf(`${url}/mcp`, { method: 'POST' });
    const failed = (): number => printed().split('hooks.mcpCallerPrincipal failed').length - 1;
    // contract/operations.md#logs: no caller fills the log.
    await expect.poll(failed).toBe(20);
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(failed()).toBe(20);
    expect(printed()).not.toContain('very-secret-key');
  });

  // proves service-5-32
  it('goes with the roles of the endpoint', async () => {
    const address = await opened(byKey, {
      settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { mcp: { roles: ['Payroll'] } } },
    });
    expect((await asked(address, { 'x-api-key': 'key-of-payroll' })).status).toBe(200);
    expect((await asked(address, { 'x-api-key': 'key-of-desk' })).status).toBe(403);
    expect((await asked(address)).status).toBe(401);
  });

  // proves service-5-32
  it('names the user whom a page asks, and a token that the hook has taken answers nothing', async () => {
    const browser = await makeToken({ sub: 'ann', name: 'Ann' });
    const address = await opened(({ headers }) => (headers['authorization'] === undefined ? null : { id: 'ann' }), {
      settings: {
        auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } },
        endpoints: { mcp: { confirmations: 'page' } },
      },
      environment: await ownAddress(),
    });
    const origin = new URL(address).origin;
    const cancel = { name: 'cancel_order', arguments: {} };

    const withKey = await confirmingClient(address, { token: 'a-key' });
    const link = linkIn(await withKey.client.callTool(cancel));
    await new PageOfQuestion(origin, link, { token: browser }).answer('approve');
    expect((await withKey.client.callTool(cancel)).content).toEqual([{ type: 'text', text: 'cancelled' }]);

    const withToken = await confirmingClient(address, { token: browser });
    const other = { name: 'cancel_order', arguments: { id: 2 } };
    const question = new PageOfQuestion(origin, linkIn(await withToken.client.callTool(other)), { token: browser });
    expect((await question.open()).status).toBe(403);
  });

  // proves service-5-34
  it.each<[string, readonly string[], object, RegExp]>([
    [
      'two plugins',
      ['one', 'two'],
      {},
      /hook name "mcpCallerPrincipal" is used twice: by plugin "one".*by plugin "two"/s,
    ],
    [
      'a plugin and tokens',
      ['one'],
      { auth: { jwt: { secret: tokenSecret } }, mcpCallerPrincipal: 'fromToken' },
      /mcpCallerPrincipal: the plugin one says who calls over MCP already/,
    ],
  ])('does not start where %s say who calls', async (_, names, settings, message) => {
    const plugins = names.map((name) => [
      name,
      `export default { name: '${name}', hooks: { mcpCallerPrincipal: () => null } };`,
    ]);
    const { file } = folderWith(Object.fromEntries(plugins) as Record<string, string>, settings); // as built above
    await expect(realServer({}, file)).rejects.toThrow(message);
  });
});
