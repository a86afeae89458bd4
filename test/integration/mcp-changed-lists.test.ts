import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callbackSecret, startCallback } from '../support/callback-receiver.ts';
import { listenRequest, listenTo } from '../support/mcp/listening.ts';
import { openRawConnection, requestText } from '../support/raw-connection.ts';
import { scriptedServer, type ScriptedOptions } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const jwt = { auth: { jwt: { secret: tokenSecret, clockTolerance: '0s' } }, mcpCallerPrincipal: 'fromToken' };

const reading = (name: string, requiredRoles: readonly string[] = []): object => ({
  name,
  description: `Looks up ${name}.`,
  parameters: { type: 'object', properties: {} },
  readOnly: true,
  requiredRoles,
});

/** A server whose actions are those of a callback, which may offer others at any moment. */
async function started(settings: object = {}, more: Partial<ScriptedOptions> & { readonly grace?: string } = {}) {
  const offering = (actions: readonly object[]): object => ({ version: 1, actions });
  const receiver = await startCallback(offering([reading('get_order')]));
  const { url, ...opened } = await scriptedServer({
    scripts: [],
    callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret, refresh: '20ms' }],
    settings: { mcpServerEnabled: true, ...settings },
    overrides: { HELPER__SERVER__SHUTDOWNGRACE: more.grace ?? '0' },
    ...more,
  });
  /** The callback offers these from now on, and the server knows it once this has resolved. */
  const offer = async (...actions: readonly object[]): Promise<void> => {
    receiver.manifest = offering(actions);
    // An answer under way may still be the former one, and the next request begins after the last answer was taken over.
    for (let answers = 0; answers < 3; answers += 1) await receiver.nextManifest();
  };
  return { address: `${url}/mcp`, offer, ...opened };
}

describe('changed lists of tools (contract/mcp-server.md#changed-lists)', () => {
  // proves service-4.3-60
  it('tells an official client that listens of an action that is added, and it reads the list again', async () => {
    const { address, offer } = await started();
    const lists: string[][] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      {
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { onChanged: (_, tools) => void lists.push((tools ?? []).map(({ name }) => name)) } },
      },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    onTestFinished(() => client.close());
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    await offer(reading('get_order'), reading('get_bill'));
    await vi.waitFor(() => {
      expect(lists).toEqual([['get_order', 'get_bill']]);
    });
    expect((await client.callTool({ name: 'get_bill' })).isError).toBeFalsy();
  });

  // proves service-4.3-60
  it('tells of a reload that publishes less', async () => {
    const { address, write, reload } = await started();
    const heard = await listenTo(address);
    write({ requiresApproval: ['get_*'] });
    expect((await reload()).taken).toContain('requiresApproval');
    await vi.waitFor(() => {
      expect(heard.told()).toBe(1);
    });
  });

  // proves service-4.3-60
  it('promises nothing to clients of the older revisions, which cannot listen', async () => {
    const { address } = await started();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    onTestFinished(() => client.close());
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    const get = await fetch(address, { headers: { accept: 'text/event-stream' } });
    expect(get.status).toBe(405);
  });

  // proves service-4.3-61
  it('tells only those whose own list has changed, once for many changes', async () => {
    const { address, offer } = await started(jwt);
    const [ann, bob] = await Promise.all([
      makeToken({ sub: 'ann', role: 'Payroll' }),
      makeToken({ sub: 'bob', role: 'Sales' }),
    ]);
    const [holder, other, nobody] = await Promise.all(
      [ann, bob, undefined].map((token) => listenTo(address, { token })),
    );
    await offer(reading('get_order'), reading('get_salaries', ['Payroll']));
    await vi.waitFor(() => {
      expect(holder?.told()).toBe(1);
    });
    await offer(reading('get_order'), reading('get_salaries', ['Payroll']), reading('get_bill'));
    await vi.waitFor(() => {
      expect([holder?.told(), other?.told(), nobody?.told()]).toEqual([2, 1, 1]);
    });
  });

  // proves service-4.3-60
  it('says what is listened to, and ends at once where it is nothing that changes here', async () => {
    const { address } = await started();
    const heard = await listenTo(address);
    expect(heard.messages).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: { toolsListChanged: true } } },
    ]);
    const request = listenRequest();
    const answer = await fetch(address, {
      ...request,
      body: request.body.replace('toolsListChanged', 'promptsListChanged'),
    });
    expect(await answer.text()).toContain('"resultType":"complete"');
  });

  // proves service-4.3-63
  it('ends the stream of a token that has expired', async () => {
    const { address } = await started(jwt);
    const token = await makeToken({ sub: 'ann' }, { expiresAt: Math.floor(Date.now() / 1000) + 5 });
    const heard = await listenTo(address, { token });
    expect(heard.status).toBe(200);
    await heard.ended;
    expect(heard.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
  });

  // proves service-4.3-63
  it('ends the stream of a caller who may not come in any more, and tells nothing', async () => {
    const plugin = `
      const state = { roles: ['Machine'] };
      globalThis.changedListsState = state;
      export default { name: 'roles', hooks: { transformClaims: () => ({ roles: state.roles }) }, actions: [] };
    `;
    const settings = { ...jwt, endpoints: { mcp: { roles: ['Machine'] } } };
    const { address, offer } = await started(settings, { plugin });
    const heard = await listenTo(address, { token: await makeToken({ sub: 'ann' }) });
    expect(heard.status).toBe(200);
    const state: unknown = Reflect.get(globalThis, 'changedListsState');
    Object.assign(state as object, { roles: [] }); // the plugin above has set it
    await offer(reading('get_order'), reading('get_bill'));
    await heard.ended;
    expect(heard.told()).toBe(0);
  });

  // proves service-4.3-62
  it('has room for a thousand who listen, and tells them all', async () => {
    const room = { maxConnectionsPerAddress: 1000, maxRequestsPerAddress: 2000 };
    const { address, offer } = await started({ server: room });
    const heard = await Promise.all(Array.from({ length: 1000 }, () => listenTo(address)));
    expect((await listenTo(address)).status).toBe(429);
    await offer(reading('get_bill'));
    await vi.waitFor(() => {
      expect(heard.map(({ told }) => told())).toEqual(heard.map(() => 1));
    });
  });

  // proves service-4.3-62
  it('counts those who listen among the connections of their user, until they go', async () => {
    const { address } = await started({ ...jwt, server: { maxConnectionsPerUser: 1 } });
    const token = await makeToken({ sub: 'ann' });
    const gone = new AbortController();
    const first = await fetch(address, { ...listenRequest({ token }), signal: gone.signal });
    expect([first.status, (await listenTo(address, { token })).status]).toEqual([200, 429]);
    expect((await listenTo(address, { token: await makeToken({ sub: 'bob' }) })).status).toBe(200);
    gone.abort();
    await vi.waitFor(async () => {
      expect((await listenTo(address, { token })).status).toBe(200);
    });
  });

  // proves service-4.3-62
  it('keeps nothing of a request whose id is too long to keep', async () => {
    const { address } = await started();
    const answer = await fetch(address, listenRequest({ id: 'x'.repeat(1001) }));
    expect(await answer.json()).toMatchObject({ error: { code: -32603 } });
  });

  // proves service-4.3-63
  it('tells the others while one does not read', async () => {
    const { address, offer } = await started();
    const { headers, body } = listenRequest();
    const deaf = await openRawConnection(address);
    onTestFinished(() => {
      deaf.socket.destroy();
    });
    deaf.socket.pause();
    const sent = { ...headers, host: new URL(address).host };
    deaf.send(requestText('POST /mcp', sent, body));
    const heard = await listenTo(address);
    await offer(reading('get_bill'));
    await vi.waitFor(() => {
      expect(heard.told()).toBe(1);
    });
  });

  // proves service-4.3-64
  it('ends all streams as soon as the server shuts down, and waits for none', async () => {
    const { address, server } = await started({}, { grace: '60s' });
    const heard = await Promise.all([listenTo(address), listenTo(address)]);
    await server.close();
    await Promise.all(heard.map(({ ended }) => ended));
    expect(heard.map(({ messages }) => messages.at(-1))).toMatchObject(
      heard.map(() => ({ result: { resultType: 'complete' } })),
    );
  });
});
