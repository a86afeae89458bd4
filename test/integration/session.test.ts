import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maxSnapshotLength } from '../../src/core/ports/snapshot-sealer.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { makeToken } from '../support/tokens.ts';
import { hubServer } from '../support/hub-server.ts';
import { realServer } from '../support/real-server.ts';
import { testKey, testSealer } from '../support/test-sealer.ts';

const json = { 'content-type': 'application/json' };

async function connect(hubUrl: string) {
  const client = await RawHubClient.connect(hubUrl);
  client.call('GetConnectionId', 'id');
  const address = `${new URL(hubUrl).origin}/helper/session?connectionId=${String(await client.result('id'))}`;
  let calls = 0;
  async function send(text: string) {
    calls += 1;
    client.call('SendMessage', String(calls), text);
    return client.result(String(calls));
  }
  return { client, address, send };
}

async function answer(response: Response) {
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

async function save(address: string): Promise<string> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return response.text();
}

async function restore(address: string, body: string) {
  return answer(await fetch(address, { method: 'POST', headers: json, body }));
}

describe('GET and POST /helper/session (contract/sessions.md#snapshots)', () => {
  // proves service-4.2-20, service-4.2-21, wire-5-60, wire-5-61
  it('saves a conversation as opaque text, and puts it back on another connection', async () => {
    const model = fakeModel({ text: 'It is open.' }, { text: 'Still open.' });
    const { url } = await hubServer({ model, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
    const first = await connect(url);
    await first.send('How is case 7?');
    const saved = await fetch(first.address);
    expect(saved.headers.get('content-type')).toContain('application/json');
    expect(saved.headers.get('cache-control')).toBe('no-store');
    const body = await saved.text();
    expect(JSON.parse(body)).toEqual({ snapshot: expect.stringMatching(/^hs1\./) as unknown });
    const second = await connect(url);
    const restored = await restore(second.address, body);
    const at = '2026-01-02T03:04:05.000Z';
    expect(restored).toMatchObject({ status: 200 });
    expect(restored.headers.get('cache-control')).toBe('no-store');
    expect(restored.body).toEqual({
      conversationId: expect.stringMatching(/^[\w-]{22}$/) as unknown,
      messages: [
        { role: 'user', text: 'How is case 7?', at, turnId: expect.stringMatching(/^[\w-]{22}$/) as unknown },
        { role: 'assistant', text: 'It is open.', at },
      ],
      openConfirmations: [],
    });
    await second.send('And now?');
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['How is case 7?', 'It is open.', 'And now?']);
    const started = await second.client.event('TurnStarted');
    expect(restored.body).toMatchObject({ conversationId: started['conversationId'] });
  });

  // proves wire-5-43
  it('puts an open Native confirmation again; the connection that restored it reads how the run goes on', async () => {
    const tool = fakeTool();
    const model = fakeModel(
      { text: 'One moment.', toolCalls: [call('close_case', { caseId: 42 })] },
      { text: 'Done.' },
    );
    const { url, origin } = await hubServer({
      model,
      toolList: [tool],
      hitlMode: 'Native',
    });
    const first = await connect(url);
    first.client.call('SendMessage', '1', 'close case 42');
    const asked = await first.client.event('ConfirmationRequested');
    const body = await save(first.address);
    first.client.socket.close();
    await first.client.closed;
    const second = await connect(url);
    const restored = await restore(second.address, body);
    const askedAgain = await second.client.event('ConfirmationRequested');
    expect(askedAgain).toMatchObject({ callId: asked['callId'], seq: 2 });
    expect(askedAgain['actionId']).not.toBe(asked['actionId']);
    expect(restored.body).toMatchObject({
      messages: [{ text: 'close case 42' }, { text: 'One moment.' }],
      openConfirmations: [askedAgain],
    });
    const approve = (actionId: unknown) =>
      fetch(`${origin}/helper/approve`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ actionId, approved: true }),
      });
    expect((await approve(askedAgain['actionId'])).status).toBe(200);
    expect(await second.client.event('TextDelta')).toMatchObject({ text: 'Done.' });
    expect(await second.client.event('TurnCompleted')).toMatchObject({ turnId: askedAgain['turnId'] });
    expect((await approve(asked['actionId'])).status).toBe(404);
    expect((await restore(second.address, body)).body).toMatchObject({ openConfirmations: [] });
    expect(tool.runs).toHaveLength(1);
  });

  // proves wire-1-60, wire-5-62
  it('answers 409 turn_in_progress while a turn runs', async () => {
    const release = Promise.withResolvers<undefined>();
    const { url } = await hubServer({ model: fakeModel({ text: 'Hm.', until: release.promise }) });
    const { client, address, send } = await connect(url);
    const empty = await save(address);
    const ended = send('hello');
    await client.event('TextDelta');
    expect(await restore(address, empty)).toMatchObject({ status: 409, body: { code: 'turn_in_progress' } });
    release.resolve(undefined);
    expect(await ended).toMatchObject({ status: 'completed' });
  });

  // proves wire-5-63
  it('says why it refuses a snapshot, and leaves the live conversation untouched', async () => {
    const model = fakeModel({ text: 'Hi.' });
    const { url } = await hubServer({ model });
    const { address, send } = await connect(url);
    await send('one');
    const sealed = await testSealer({ keys: [testKey(9)] }).seal({}, 'anon:');
    const { snapshot } = JSON.parse(await save(address)) as { snapshot: string }; // as GET answers
    for (const [refused, reason] of [
      [sealed, 'a key that this server does not have'],
      [`${snapshot.slice(0, -2)}AA`, 'changed or is damaged'],
      ['hs0.x.y', 'another version'],
      ['', 'not a snapshot'],
    ] as const) {
      const { status, body } = await restore(address, JSON.stringify({ snapshot: refused }));
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'snapshot_refused', detail: expect.stringContaining(reason) as unknown });
    }
    await send('two');
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['one', 'Hi.', 'two']);
  });

  // proves service-7-20
  it('answers 404 unknown_connection without a connection, and when it is gone', async () => {
    const { url, origin } = await hubServer({ model: fakeModel() });
    const { client, address } = await connect(url);
    const body = await save(address);
    client.socket.close();
    await client.closed;
    await expect.poll(async () => (await fetch(address)).status).toBe(404);
    const path = `${origin}/helper/session`;
    for (const query of ['', '?connectionId=', '?connectionId=nobody', '?connectionId=a&connectionId=b']) {
      expect(await answer(await fetch(path + query))).toMatchObject({
        status: 404,
        body: { code: 'unknown_connection' },
      });
      expect(await restore(path + query, body)).toMatchObject({ status: 404, body: { code: 'unknown_connection' } });
    }
  });

  // proves service-4.2-21, service-7-22, wire-1-60
  it('checks in the order 415, 404, owner, 413, 400 (contract/identity.md#whose-it-is)', async () => {
    const mine = await connect((await hubServer({ model: fakeModel() })).url);
    const foreign = await connect((await hubServer({ model: fakeModel() })).url);
    // A signed-in caller is a stranger to an anonymous connection.
    const stranger = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
    const nobody = foreign.address.replace(/=.*/, '=nobody');
    const large = `{"snapshot": "${'A'.repeat(maxSnapshotLength + 2048)}"}`;
    expect(
      (await fetch(nobody, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: large })).status,
    ).toBe(415);
    expect((await fetch(nobody, { method: 'POST' })).status).toBe(415);
    expect(await statusBeforeBody(nobody, large.length)).toBe(404);
    expect(await statusBeforeBody(foreign.address, large.length, stranger)).toBe(403);
    expect((await fetch(foreign.address, { headers: stranger })).status).toBe(403);
    expect(await statusBeforeBody(mine.address, large.length)).toBe(413);
    for (const body of ['{', '[]', '{}', '{"snapshot": 1}', '"hs1"']) {
      expect(await restore(mine.address, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  it('refuses a foreign website (contract/doors.md)', async () => {
    const { url } = await hubServer({ model: fakeModel() });
    const { address } = await connect(url);
    const headers = { origin: 'https://evil.example.com' };
    expect((await fetch(address, { headers })).status).toBe(403);
    expect((await fetch(address, { method: 'POST', headers: { ...json, ...headers }, body: '{}' })).status).toBe(403);
  });

  it('takes back the longest conversation that it saves', async () => {
    const { url, assistant } = await hubServer({ model: fakeModel() });
    const { address } = await connect(url);
    const session = assistant.findSession(new URL(address).searchParams.get('connectionId') ?? '');
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    const text = Array.from({ length: 100 }, (_each, index) => noise.slice(index) + noise.slice(0, index)).join('');
    session?.replaceConversation([{ message: { role: 'user', text }, at: 1 }]);
    expect(await restore(address, await save(address))).toMatchObject({ status: 200, body: { messages: [{ text }] } });
    session?.replaceConversation([{ message: { role: 'user', text: text + text }, at: 1 }]);
    expect(await answer(await fetch(address))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

describe('the keys of a server (contract/sessions.md#snapshots)', () => {
  function folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'helper-session-'));
    onTestFinished(() => {
      rmSync(made, { recursive: true, force: true });
    });
    return made;
  }

  async function restoredBy(overrides: Record<string, string>, body: string) {
    const { url } = await realServer(overrides);
    return restore((await connect(`${url}/helper-hub`)).address, body);
  }

  async function savedBy(overrides: Record<string, string>): Promise<string> {
    const { url, server } = await realServer(overrides);
    const { address, send } = await connect(`${url}/helper-hub`);
    await send('hello');
    const body = await save(address);
    await server.close();
    return body;
  }

  it('makes one and keeps it under storage.path, so that snapshots outlive a restart', async () => {
    const path = folder();
    const stored = { HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: path };
    const body = await savedBy(stored);
    expect(statSync(join(path, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(await restoredBy(stored, body)).toMatchObject({ status: 200, body: { messages: [{ text: 'hello' }, {}] } });
  });

  it('makes one per process with storage.type memory, and warns of it', async () => {
    const body = await savedBy({});
    expect(await restoredBy({}, body)).toMatchObject({ status: 400, body: { code: 'snapshot_refused' } });
    const { server } = await realServer();
    expect(server.report.warnings.map(({ code }) => code)).toContain('HLP1010');
  });

  it('rotates: the first key seals, all of them open', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64url')];
    const keys = (...list: string[]) => ({ HELPER__DATAPROTECTION__KEYS: JSON.stringify(list) });
    const body = await savedBy(keys(old));
    expect(await restoredBy(keys(fresh, old), body)).toMatchObject({ status: 200 });
    expect(await restoredBy(keys(fresh), body)).toMatchObject({ status: 400 });
    expect(await restoredBy(keys(fresh), await savedBy(keys(fresh, old)))).toMatchObject({ status: 200 });
  });

  it('takes keys from a file, and does not start when it cannot be used', async () => {
    const file = join(folder(), 'my-keys.json');
    const given = { HELPER__DATAPROTECTION__KEYFILE: file };
    await expect(realServer(given)).rejects.toMatchObject({ faults: [{ path: 'dataProtection.keyFile' }] });
    const [old, fresh] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    writeFileSync(file, JSON.stringify({ keys: [old] }));
    const body = await savedBy(given);
    const both = { ...given, HELPER__DATAPROTECTION__KEYS: JSON.stringify([fresh]) };
    expect(await restoredBy(both, body)).toMatchObject({ status: 200 });
    expect(await restoredBy(given, await savedBy(both))).toMatchObject({ status: 400 });
  });

  // proves wire-5-66
  it('binds a snapshot to appName', async () => {
    const keys = { HELPER__DATAPROTECTION__KEYS: `["${Buffer.alloc(32, 1).toString('base64')}"]` };
    const body = await savedBy({ ...keys, HELPER__APPNAME: 'Desk' });
    expect(await restoredBy({ ...keys, HELPER__APPNAME: 'Shop' }, body)).toMatchObject({ status: 400 });
  });
});

/** The status of a request whose body never arrives. */
function statusBeforeBody(
  address: string,
  length: number,
  more: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { ...json, ...more, 'content-length': length };
    const outgoing = request(address, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      outgoing.destroy();
    });
    outgoing.once('error', reject);
    outgoing.flushHeaders();
  });
}
