import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  callbackSecret,
  type CallbackReceiver,
  expectedSignature,
  hangUp,
  json,
  silent,
  startCallback,
} from '../support/callback-receiver.ts';
import { calling, hangingAfter, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

interface World {
  readonly start: (environment?: Readonly<Record<string, string>>) => ServerProcess;
  /** The action `cancel_order` of another system. */
  readonly orders: CallbackReceiver;
  /** The webhook. */
  readonly hook: CallbackReceiver;
}

/** What outlives the processes of a test: a model, an action, a webhook and a folder. */
async function world(scripts: readonly ModelScript[], settings: object = {}, otherwise?: ModelScript): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-detached-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const actions = [
    {
      name: 'cancel_order',
      description: 'Cancels an order.',
      parameters: { type: 'object', additionalProperties: true },
    },
  ];
  const orders = await startCallback({ version: 1, actions });
  orders.answer = json({ result: 'cancelled' });
  const hook = await startCallback({});
  hook.answer = json({});
  const model = await startScriptedModel({ scripts, ...(otherwise && { otherwise }) });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const server = { durableTurns: true, webhooks: { hosts: [new URL(hook.url).host], secret: callbackSecret } };
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      appName: 'Test',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
      actions: { plugins: [], callbacks: [{ name: 'erp', url: orders.url, secret: callbackSecret }] },
      hitlMode: 'Native',
      server,
      ...settings,
    }),
  );
  const start = (environment = {}): ServerProcess => startServerProcess({ folder, config, environment });
  return { start, orders, hook };
}

/** Asks and leaves. */
function leave(url: string, body: object = {}, prefer = 'respond-async'): Promise<Response> {
  return fetch(`${url}/helper/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer },
    body: JSON.stringify({ message: 'cancel order 7', ...body }),
  });
}

async function turnOf(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  const { turnId } = (await response.json()) as { readonly turnId: string };
  return turnId;
}

/** Reads a turn from its beginning to its end. */
async function read(url: string, turnId: string) {
  const stream = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
  await stream.closed;
  return stream.frames.at(-1)?.data;
}

async function questionOf(url: string, turnId: string): Promise<string> {
  const stream = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
  const { data } = await stream.next('confirmation');
  stream.close();
  return String(data?.['actionId']);
}

async function approve(url: string, actionId: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ actionId, approved: true });
  return (await fetch(`${url}/helper/approve`, { method: 'POST', headers, body })).status;
}

const told = ({ hook }: World): readonly unknown[] => hook.posts().map(({ body }) => body['data']);

describe('a detached turn (contract/sse.md#detached-turns)', () => {
  // proves wire-4-30, wire-4-31
  it('is answered at once, goes on without a reader, and is read live and after its end', async () => {
    const { start } = await world([saying('Done.')], { server: { durableTurns: true, disconnectGrace: '0s' } });
    const url = await start().url;
    const response = await leave(url, {}, 'wait=5, Respond-Async; x=1');
    const turnId = await turnOf(response);
    expect(response.headers.get('x-turn-id')).toBe(turnId);
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    expect(await read(url, turnId)).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(await read(url, turnId)).toMatchObject({ status: 'completed', text: 'Done.' });
  });

  // proves wire-4-30, wire-4-31
  it('is not stopped when a reader leaves it, and is stopped by a Stop', async () => {
    const { start } = await world([hangingAfter('Half')], { server: { durableTurns: true, disconnectGrace: '0s' } });
    const url = await start().url;
    const turnId = await turnOf(await leave(url));
    const reader = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
    await reader.next('text');
    reader.close();
    await reader.closed;
    const again = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
    await again.next('text');
    const stopped = await fetch(`${url}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turnId }),
    });
    expect(await stopped.json()).toMatchObject({ stopped: true });
    await again.closed;
    expect(again.frames.at(-1)?.data).toMatchObject({ status: 'stopped', text: 'Half' });
  });

  // proves wire-4-30, wire-4-31
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'goes on in the next process after %s, and its question is answered there, once',
    async (signal) => {
      const scene = await world([calling({ name: 'cancel_order', arguments: {} }), saying('It is cancelled.')]);
      const first = scene.start();
      const turnId = await turnOf(await leave(await first.url, { webhook: scene.hook.url }));
      const actionId = await questionOf(await first.url, turnId);
      await first.kill(signal);
      const url = await scene.start().url;
      expect(await approve(url, actionId)).toBe(200);
      expect(await read(url, turnId)).toMatchObject({ status: 'completed', text: 'It is cancelled.' });
      expect(await approve(url, actionId)).toBe(404);
      await vi.waitFor(() => expect(told(scene)).toMatchObject([{ turnId, status: 'completed' }]));
      expect(scene.orders.posts()).toHaveLength(1);
    },
  );

  // proves wire-4-32, wire-4-35
  it('is an answer in a stream where turns are not kept from their beginning', async () => {
    const { start } = await world([saying('Done.')], { server: {} });
    const url = await start().url;
    const response = await leave(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toContain('Done.');
    expect((await leave(url, { webhook: 'https://hooks.example.com/' })).status).toBe(400);
  });
});

describe('the webhook of a detached turn (contract/sse.md#detached-turns)', () => {
  // proves wire-4-33
  it('is told the end, signed, under the id of the turn, and once', async () => {
    const scene = await world([saying('Done.')]);
    const url = await scene.start().url;
    const before = Date.now();
    const turnId = await turnOf(await leave(url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(1));
    const [call] = scene.hook.posts();
    if (call === undefined) throw new Error('nothing was told');
    expect(call.headers).toMatchObject({ 'webhook-id': turnId, 'webhook-signature': expectedSignature(call) });
    expect(call.body).toMatchObject({ type: 'turn.ended', data: { turnId, status: 'completed', text: 'Done.' } });
    const toldAt = Date.parse(String(call.body['timestamp']));
    expect(toldAt).toBeGreaterThanOrEqual(before);
    expect(toldAt).toBeLessThanOrEqual(Date.now());
  });

  // proves wire-4-34
  it('is told after a crash that came before it had taken it', async () => {
    const scene = await world([saying('Done.')]);
    scene.hook.answer = silent;
    const first = scene.start();
    const turnId = await turnOf(await leave(await first.url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(1));
    await first.kill('SIGKILL');
    scene.hook.answer = json({});
    await scene.start().url;
    await vi.waitFor(() => expect(told(scene)).toMatchObject([{ turnId }, { turnId, text: 'Done.' }]));
    expect(new Set(scene.hook.posts().map(({ headers }) => headers['webhook-id']))).toEqual(new Set([turnId]));
  });

  // proves wire-4-34
  it('is told again until it takes it, and holds up neither the turn nor the end of the server', async () => {
    const scene = await world([saying('Done.'), saying('Done.'), saying('Done.')]);
    const server = scene.start();
    const url = await server.url;
    scene.hook.answer = hangUp;
    const turnId = await turnOf(await leave(url, { webhook: scene.hook.url }));
    expect(await read(url, turnId)).toMatchObject({ status: 'completed' });
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(1));
    scene.hook.answer = json({}, 500);
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(2));
    expect(server.printed()).toContain('a webhook did not take how its turn has ended');
    scene.hook.answer = silent;
    await turnOf(await leave(url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(3));
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  // proves wire-4-38
  it('is given up, and nothing of it is kept, where its host is not named any more', async () => {
    const scene = await world([saying('Done.')]);
    scene.hook.answer = silent;
    const first = scene.start();
    await turnOf(await leave(await first.url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(scene.hook.posts()).toHaveLength(1));
    await first.kill('SIGKILL');
    const second = scene.start({ HELPER__SERVER__WEBHOOKS__HOSTS: '[]' });
    await vi.waitFor(() => expect(second.printed()).toContain('given up'));
    await second.kill('SIGTERM');
    const third = scene.start();
    await third.url;
    expect(await third.kill('SIGTERM')).toBe(0);
    expect(scene.hook.posts()).toHaveLength(1);
  });

  it('keeps no other webhook waiting while it hangs', async () => {
    const scene = await world([], {}, saying('Done.'));
    const other = await startCallback({});
    other.answer = json({});
    scene.hook.answer = silent;
    const hosts = JSON.stringify([scene.hook, other].map(({ url }) => new URL(url).host));
    const url = await scene.start({ HELPER__SERVER__WEBHOOKS__HOSTS: hosts }).url;
    for (let turn = 0; turn < 20; turn += 1) await turnOf(await leave(url, { webhook: scene.hook.url }));
    await turnOf(await leave(url, { webhook: other.url }));
    await vi.waitFor(() => expect(other.posts()).toHaveLength(1));
    expect(scene.hook.posts().length).toBeLessThanOrEqual(2);
  });

  // proves wire-4-34
  it('is told no more once it says that it is gone, and is not followed elsewhere', async () => {
    const scene = await world([saying('Done.'), saying('Done.')]);
    const server = scene.start();
    const url = await server.url;
    scene.hook.answer = json({}, 410);
    await turnOf(await leave(url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(server.printed()).toContain('given up'));
    const other = await startCallback({});
    scene.hook.answer = json({}, 307, { location: other.url });
    await turnOf(await leave(url, { webhook: scene.hook.url }));
    await vi.waitFor(() => expect(server.printed()).toContain('it answered 307'));
    expect(other.calls).toEqual([]);
  });

  // proves wire-4-35
  it('is refused on a host that is not named, with a password, or where it is no address, and no turn begins', async () => {
    const { start, hook } = await world([]);
    const url = await start().url;
    for (const webhook of [
      'https://other.example.com/hook',
      'http://127.0.0.1:1/hook',
      hook.url.replace('://', '://ann:secret@'),
      hook.url.replace('http:', 'ftp:'),
      'hook',
      `${hook.url}/${'x'.repeat(100_000)}`,
      { url: hook.url },
      null,
    ]) {
      const response = await leave(url, { webhook });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('webhook');
    }
    expect((await leave(url, { webhook: hook.url }, 'wait=5')).status).toBe(400);
    expect(hook.calls).toEqual([]);
  });

  // proves wire-4-35
  it('needs https, but for this machine', async () => {
    const scene = await world([], {
      server: { durableTurns: true, webhooks: { hosts: ['hooks.example.com:80'], secret: callbackSecret } },
    });
    const url = await scene.start().url;
    expect((await leave(url, { webhook: 'http://hooks.example.com/' })).status).toBe(400);
  });

  // proves wire-4-36
  it('needs the turns to be kept, a key, and hosts as addresses spell them', async () => {
    for (const server of [
      { webhooks: { hosts: ['hooks.example.com'], secret: callbackSecret } },
      { durableTurns: true, webhooks: { hosts: ['hooks.example.com'] } },
      { durableTurns: true, webhooks: { hosts: ['hooks.example.com:443'], secret: callbackSecret } },
    ]) {
      const { start } = await world([], { server });
      const process = start();
      expect(await process.exited).toBe(78);
      expect(process.printed()).toContain('server.webhooks.');
    }
  });
});
