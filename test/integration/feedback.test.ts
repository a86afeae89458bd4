import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubConnection } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { customIn, eventsOf, posting } from '../support/agui-agent.ts';
import { asUser, bearer, connectAs, listOf } from '../support/kept-conversations.ts';
import { patienceMs } from '../support/patience.ts';
import { hangingAfter, type ModelScript } from '../support/scripted-model.ts';
import { scriptedConfiguration, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub })));
const auth = { jwt: { secret: tokenSecret } };
const json = { 'content-type': 'application/json' };

const start = (settings: object = {}, scripts: readonly ModelScript[] = [], plugin?: string): Promise<ScriptedServer> =>
  scriptedServer({
    scripts,
    ...(plugin === undefined ? {} : { plugin }),
    settings: { auth, chatHistoryProvider: 'storage', ...settings },
  });

interface Rated {
  readonly status: number;
  readonly code: unknown;
}

async function rate(url: string, body: object, token?: string, query = ''): Promise<Rated> {
  const answer = await asUser(`${url}/helper/feedback${query}`, token, { method: 'POST', body });
  return { status: answer.status, code: answer.body['code'] };
}

const send = (hub: HubConnection, text: string): Promise<{ readonly turnId: string }> =>
  hub.invoke('SendMessage', text);

/** The series of `helperagent_feedback_total`. */
async function counted(url: string): Promise<Readonly<Record<string, number>>> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Object.fromEntries(
    [...page.matchAll(/^helperagent_feedback_total\{rating="(\w+)"\} (\d+)$/gm)].map(([, rating, count]) => [
      String(rating),
      Number(count),
    ]),
  );
}

const messagesOf = async (url: string, id: string): Promise<unknown> =>
  (await asUser(`${url}/helper/conversations/${id}`, ann)).body['messages'];

describe('a rating of a reply (contract/sessions.md#ratings)', () => {
  // proves wire-22-01, wire-22-04, wire-22-05
  it('is kept with its conversation, changed, given again and taken back', async () => {
    const { url } = await start();
    const hub = await connectAs(url, ann);
    const query = `?connectionId=${String(hub.connectionId)}`;
    const { turnId } = await send(hub, 'Hello');
    const id = String((await listOf(url, ann))[0]?.id);
    const feedback = async (): Promise<unknown> => messagesOf(url, id);
    const asked = (given: object): object => expect.objectContaining({ role: 'user', turnId, ...given }) as object;
    expect(await rate(url, { turnId, rating: 'bad', comment: ' Too short. ' }, ann, query)).toEqual({ status: 204 });
    expect(await feedback()).toContainEqual(asked({ feedback: { rating: 'bad', comment: 'Too short.' } }));
    const opened = await hub.invoke<{ readonly messages: readonly object[] }>('OpenConversation', id);
    expect(opened.messages).toContainEqual(asked({ feedback: { rating: 'bad', comment: 'Too short.' } }));
    // The conversation is another object now, and the rating is changed in it and in the store.
    expect(await rate(url, { turnId, rating: 'good' }, ann, query)).toEqual({ status: 204 });
    expect(await rate(url, { turnId, rating: 'good' }, ann, query)).toEqual({ status: 204 });
    expect(await feedback()).toContainEqual(asked({ feedback: { rating: 'good' } }));
    expect(await counted(url)).toEqual({ good: 1, bad: 1, withdrawn: 0 });
    expect(await rate(url, { turnId, rating: null }, ann, query)).toEqual({ status: 204 });
    expect(await rate(url, { turnId, rating: null }, ann, query)).toEqual({ status: 204 });
    expect(await feedback()).toContainEqual(expect.not.objectContaining({ feedback: expect.anything() as unknown }));
    expect(await counted(url)).toEqual({ good: 1, bad: 1, withdrawn: 1 });
  });

  // proves wire-22-05
  it('of an anonymous user comes back with the snapshot of the conversation', async () => {
    const { url } = await start();
    const hub = await connectAs(url, undefined);
    const { turnId } = await send(hub, 'Hello');
    const query = `?connectionId=${String(hub.connectionId)}`;
    expect(await rate(url, { turnId, rating: 'good', comment: 'Nice' }, undefined, query)).toEqual({ status: 204 });
    const { body } = await asUser(`${url}/helper/session${query}`, undefined);
    const next = await connectAs(url, undefined);
    const restored = await asUser(`${url}/helper/session?connectionId=${String(next.connectionId)}`, undefined, {
      method: 'POST',
      body,
    });
    expect(restored.body['messages']).toContainEqual(
      expect.objectContaining({ role: 'user', turnId, feedback: { rating: 'good', comment: 'Nice' } }),
    );
  });

  // proves wire-22-05
  it('outlives the connection: it is found by the conversation once the server has forgotten the turn', async () => {
    const { url } = await start({ server: { resumeWindow: '0s' } });
    const hub = await connectAs(url, ann);
    const { turnId } = await send(hub, 'Hello');
    await hub.stop();
    const id = String((await listOf(url, ann))[0]?.id);
    expect(await rate(url, { turnId, rating: 'good' }, ann)).toEqual({ status: 404, code: 'not_found' });
    expect(await rate(url, { turnId, rating: 'good', conversationId: id }, bob)).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect(await rate(url, { turnId, rating: 'good', conversationId: id }, ann)).toEqual({ status: 204 });
    expect(await messagesOf(url, id)).toContainEqual(expect.objectContaining({ feedback: { rating: 'good' } }));
  });

  // proves wire-22-02
  it('is its user’s alone', async () => {
    const { url } = await start();
    const hub = await connectAs(url, ann);
    const { turnId } = await send(hub, 'Hello');
    const query = `?connectionId=${String(hub.connectionId)}`;
    const body = { turnId, rating: 'bad' };
    expect(await rate(url, body, bob)).toEqual({ status: 403, code: 'not_owner' });
    expect(await rate(url, body)).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await rate(url, body, bob, query)).toEqual({ status: 403, code: 'not_owner' });
    expect(await rate(url, body, undefined, query)).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await rate(url, body, ann, '?connectionId=nobody')).toEqual({ status: 404, code: 'unknown_connection' });
    expect(await counted(url)).toEqual({ good: 0, bad: 0, withdrawn: 0 });
  });

  // proves wire-22-03
  it.each([
    ['no rating', { turnId: 'x' }, 400],
    ['another rating', { turnId: 'x', rating: 'fine' }, 400],
    ['no turn', { rating: 'good' }, 400],
    ['both ids', { turnId: 'x', replyId: 'resp_x', rating: 'good' }, 400],
    ['a reply of another kind', { replyId: 'run_x', rating: 'good' }, 400],
    ['a long word', { turnId: 'x', rating: 'good', comment: 'x'.repeat(1001) }, 400],
    ['a word and no rating', { turnId: 'x', rating: null, comment: 'x' }, 400],
    ['more members', { turnId: 'x', rating: 'good', more: 1 }, 400],
    ['far too much', { turnId: 'x', rating: 'good', comment: 'x'.repeat(20_000) }, 413],
    ['a turn that is nowhere', { turnId: 'x', rating: 'good' }, 404],
  ])('is refused with %s', async (_what, body, status) => {
    const { url } = await start();
    expect(await rate(url, body, ann)).toMatchObject({ status });
  });

  // proves wire-22-02, wire-22-03
  it('is JSON from no other website, and no more than sixty in a minute', async () => {
    const { url } = await start();
    const post = async (headers: Readonly<Record<string, string>>, body: string): Promise<number> =>
      (await fetch(`${url}/helper/feedback`, { method: 'POST', headers, body })).status;
    const body = JSON.stringify({ turnId: 'x', rating: 'good' });
    expect(await post(bearer(ann), body)).toBe(415);
    expect(await post({ ...json, ...bearer(ann), origin: 'https://evil.example' }, body)).toBe(403);
    expect(await post({ ...json, ...bearer(ann), 'sec-fetch-site': 'cross-site' }, body)).toBe(403);
    const statuses = await Promise.all(Array.from({ length: 61 }, () => post({ ...json, ...bearer(bob) }, body)));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await post({ ...json, ...bearer(ann) }, body)).toBe(404);
  });

  // proves wire-22-06
  it('waits for the end of the turn', async () => {
    const { url } = await start({}, [hangingAfter('Hel')]);
    const hub = await connectAs(url, ann);
    const begun = new Promise<{ readonly turnId: string }>((resolve) => hub.on('TurnStarted', resolve));
    const sent = send(hub, 'Hello');
    const { turnId } = await begun;
    expect(await rate(url, { turnId, rating: 'good' }, ann)).toEqual({ status: 409, code: 'turn_in_progress' });
    await asUser(`${url}/helper/cancel`, ann, { method: 'POST', body: { turnId } });
    await sent;
    expect(await rate(url, { turnId, rating: 'good' }, ann)).toEqual({ status: 204 });
  });

  // proves wire-22-07
  it('is given for turns of server-sent events, of AG-UI and of /v1 by the ids that their clients have', async () => {
    const { url } = await start({ endpoints: { openai: { enabled: true }, agui: { enabled: true } } });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(ann) });
    const { data } = await chat.next('end');
    expect(await rate(url, { turnId: String(data?.['turnId']), rating: 'good' }, ann)).toEqual({ status: 204 });
    const completion = await asUser(`${url}/v1/chat/completions`, ann, {
      method: 'POST',
      body: { model: 'helper', messages: [{ role: 'user', content: 'Hello' }] },
    });
    const replyId = String(completion.body['id']);
    expect(replyId).toMatch(/^chatcmpl-/);
    expect(await rate(url, { replyId, rating: 'bad' }, ann)).toEqual({ status: 204 });
    expect(await rate(url, { replyId, rating: 'bad' }, ann)).toEqual({ status: 204 });
    expect(await rate(url, { replyId, rating: 'bad' }, bob)).toEqual({ status: 403, code: 'not_owner' });
    const messages = [{ id: 'm', role: 'user', content: 'Hello' }];
    const run = await posting(url, { threadId: 't', runId: 'r', messages }, bearer(ann));
    const { turnId } = customIn(await eventsOf(run), 'TurnStarted') as { readonly turnId: string }; // the hub's form
    expect(await rate(url, { turnId, rating: 'good' }, ann)).toEqual({ status: 204 });
    expect(await counted(url)).toEqual({ good: 2, bad: 1, withdrawn: 0 });
  });

  // proves service-12-01
  it('is told to the hook of each plugin once it has changed something, whatever the hook does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-feedback-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'told');
    const plugin = `
      import { appendFileSync } from 'node:fs';
      export default { name: 'quality', hooks: { onFeedback: (feedback) => {
        appendFileSync(${JSON.stringify(file)}, JSON.stringify(feedback) + '\\n');
        throw new Error('no room');
      } } };`;
    const { url } = await start({}, [], plugin);
    const hub = await connectAs(url, ann);
    const { turnId } = await send(hub, 'Hello');
    const [listed] = await listOf(url, ann);
    expect(await rate(url, { turnId, rating: 'bad', comment: 'Wrong.' }, ann)).toEqual({ status: 204 });
    expect(await rate(url, { turnId, rating: 'bad', comment: 'Wrong.' }, ann)).toEqual({ status: 204 });
    expect(await rate(url, { turnId, rating: null }, ann)).toEqual({ status: 204 });
    const told = (): unknown[] =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    await vi.waitFor(() => expect(told()).toHaveLength(2), patienceMs);
    const user = expect.objectContaining({ id: 'ann', isAuthenticated: true }) as unknown;
    const known = { turnId, conversationId: listed?.id, user };
    expect(told()).toEqual([
      { ...known, rating: 'bad', comment: 'Wrong.' },
      { ...known, rating: null, comment: '' },
    ]);
  });

  // proves configuration-8-01
  it('is not there with enableFeedback: false', async () => {
    const { url } = await start({ enableFeedback: false });
    expect(await rate(url, { turnId: 'x', rating: 'good' }, ann)).toMatchObject({ status: 404, code: 'not_found' });
    const script = await (await fetch(`${url}/helper/widget.js`)).text();
    expect(script).not.toContain('"feedback":true');
  });
});

describe('a kept rating (contract/sessions.md#ratings)', () => {
  // proves wire-22-05, wire-22-08
  it('is there after a restart, in no file in plain words, and gone with its user', async () => {
    const { directory, configuration } = await scriptedConfiguration({
      scripts: [],
      settings: { auth, actions: 'none', chatHistoryProvider: 'storage' },
    });
    const config = join(directory, 'helper.yaml');
    writeFileSync(config, JSON.stringify(configuration));
    const folder = mkdtempSync(join(tmpdir(), 'helper-rated-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = startServerProcess({ folder, config });
    const url = await first.url;
    const hub = await connectAs(url, ann);
    const { turnId } = await send(hub, 'Hello');
    expect(await rate(url, { turnId, rating: 'bad', comment: 'lapis lazuli' }, ann)).toEqual({ status: 204 });
    await hub.stop();
    await first.kill('SIGTERM');
    expect(readFileSync(join(folder, 'helper.db'), 'latin1')).not.toContain('lapis');
    const second = startServerProcess({ folder, config });
    const again = await second.url;
    const id = String((await listOf(again, ann))[0]?.id);
    expect(await messagesOf(again, id)).toContainEqual(
      expect.objectContaining({ turnId, feedback: { rating: 'bad', comment: 'lapis lazuli' } }),
    );
    expect((await asUser(`${again}/helper/user-data`, ann, { method: 'DELETE' })).status).toBe(200);
    expect(await rate(again, { turnId, rating: 'good', conversationId: id }, ann)).toMatchObject({ status: 404 });
    await second.kill('SIGTERM');
  });
});
