import { describe, expect, it } from 'vitest';
import { ask, type Asked } from '../support/ask.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { bearer, factsOf, finding, hubOf, say, textsOf } from '../support/remembering.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const token = await makeToken({ sub: 'ann' });
const other = await makeToken({ sub: 'bob' });
const json = { 'content-type': 'application/json' };
const start = (scripts: readonly ModelScript[] = [], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({
    scripts,
    settings: { actions: 'none', useMemoryContext: true, auth: { jwt: { secret: tokenSecret } }, ...settings },
  });

/** A server that remembers two facts about Ann. */
async function remembering() {
  const facts = ['Has a dog.', 'Has a cat.'].map((text) => ({ kind: 'fact', text }));
  const server = await start([saying('Hi.'), saying(finding(...facts))]);
  await say(server.url, 'I have a dog and a cat.', token);
  await textsOf(server.url, token, 2);
  const [first, second] = await factsOf(server.url, token);
  return { ...server, first: first?.id ?? '', second: second?.id ?? '' };
}

const status = async (url: string, what: string, asked: Asked = {}): Promise<readonly unknown[]> => {
  const answer = await ask(url, what, asked);
  const { code } = (answer.body === '' ? {} : JSON.parse(answer.body)) as { readonly code?: string };
  return code === undefined ? [answer.status] : [answer.status, code];
};

describe('what a user does with what is remembered (contract/memory.md#requests)', () => {
  // proves service-2.10-16, service-2.10-19
  it('is to see and to correct it', async () => {
    const { url, first } = await remembering();
    const path = `PATCH /helper/memory?id=${first}`;
    const headers = { ...bearer(token), ...json };
    expect(await status(url, path, { headers, body: { text: ' Has two\tdogs. ' } })).toEqual([204]);
    expect(await factsOf(url, token)).toContainEqual(expect.objectContaining({ id: first, text: 'Has two dogs.' }));
  });

  // proves service-2.10-19
  it.each([
    ['no text', {}, [400, 'invalid_request']],
    ['an empty one', { text: '' }, [400, 'invalid_request']],
    ['one of nothing that shows', { text: ' \u200b\n' }, [400, 'invalid_request']],
    ['one that is too long', { text: 'x'.repeat(301) }, [400, 'invalid_request']],
    ['no text but a number', { text: 5 }, [400, 'invalid_request']],
    ['more than a text', { text: 'x', kind: 'identity' }, [400, 'invalid_request']],
    ['far too much', { text: 'x'.repeat(70_000) }, [413, 'payload_too_large']],
  ])('is no correction with %s', async (_what, body, expected) => {
    const { url } = await start();
    const headers = { ...bearer(token), ...json };
    expect(await status(url, 'PATCH /helper/memory?id=x', { headers, body })).toEqual(expected);
  });

  it('is no correction without JSON, or of a fact that is not there', async () => {
    const { url } = await start();
    expect(await status(url, 'PATCH /helper/memory?id=x', { headers: bearer(token), body: 'text' })).toEqual([
      415,
      'not_json',
    ]);
    const headers = { ...bearer(token), ...json };
    expect(await status(url, 'PATCH /helper/memory?id=x', { headers, body: { text: 'x' } })).toEqual([
      404,
      'not_found',
    ]);
    expect(await status(url, 'PATCH /helper/memory', { headers, body: { text: 'x' } })).toEqual([
      400,
      'invalid_request',
    ]);
  });

  // proves service-2.10-20
  it('is to erase a fact, or everything', async () => {
    const { url, first } = await remembering();
    const headers = bearer(token);
    expect(await status(url, `DELETE /helper/memory?id=${first}`, { headers })).toEqual([204]);
    expect(await status(url, `DELETE /helper/memory?id=${first}`, { headers })).toEqual([404, 'not_found']);
    expect(await factsOf(url, token)).toHaveLength(1);
    expect(await status(url, 'DELETE /helper/memory', { headers })).toEqual([204]);
    expect(await factsOf(url, token)).toEqual([]);
    expect(await status(url, 'DELETE /helper/memory', { headers })).toEqual([204]);
  });

  // proves service-2.10-16
  it.each(['GET', 'PATCH', 'DELETE'])('is nothing where the memory is off: %s', async (method) => {
    const { url } = await start([], { useMemoryContext: false });
    const asked =
      method === 'PATCH' ? { headers: { ...bearer(token), ...json }, body: { text: 'x' } } : { headers: bearer(token) };
    expect(await status(url, `${method} /helper/memory?id=x`, asked)).toEqual([404, 'not_found']);
  });

  it.each(['Id=x', 'id[]=x', '__proto__=x'])('is not erased by a name that nobody knows: %s', async (query) => {
    const { url } = await remembering();
    const asked = { headers: bearer(token) };
    expect(await status(url, `DELETE /helper/memory?${query}`, asked)).toEqual([400, 'invalid_request']);
    expect(await factsOf(url, token)).toHaveLength(2);
  });

  it('is answered with Cache-Control: no-store', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/helper/memory`, { headers: bearer(token) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('whose a memory is (contract/memory.md#requests)', () => {
  // proves service-2.10-03, service-2.10-17, wire-1-61
  it('of a connection without a name is told by the id of the connection', async () => {
    const dog = finding({ kind: 'fact', text: 'Has a dog.' });
    const { url } = await start([saying('Hi.'), saying(dog)]);
    const hub = await hubOf(url);
    await hub.invoke('SendMessage', 'I have a dog.');
    const path = `/helper/memory?connectionId=${String(hub.connectionId)}`;
    await expect
      .poll(async () => (await ask(url, `GET ${path}`)).body)
      .toMatch(/^\{"facts":\[\{"id":"[^"]+","kind":"fact","text":"Has a dog\."/);
    expect(await status(url, `GET ${path}`, { headers: bearer(token) })).toEqual([403, 'not_owner']);
    expect(await status(url, 'GET /helper/memory')).toEqual([404, 'unknown_connection']);
    expect(await status(url, 'GET /helper/memory?connectionId=nobody')).toEqual([404, 'unknown_connection']);
    expect(await status(url, `DELETE ${path}`)).toEqual([204]);
    expect((await ask(url, `GET ${path}`)).body).toBe('{"facts":[]}');
  });

  // proves service-2.10-17, wire-1-42, wire-11-02
  it('of a signed-in user’s connection is that user’s', async () => {
    const { url } = await start();
    const hub = await hubOf(url, token);
    const path = `GET /helper/memory?connectionId=${String(hub.connectionId)}`;
    expect(await status(url, path)).toEqual([401, 'unauthenticated']);
    expect(await status(url, path, { headers: bearer(other) })).toEqual([403, 'not_owner']);
    expect(await status(url, path, { headers: bearer(token) })).toEqual([200]);
  });

  // proves service-2.10-18
  it('is nobody’s where all share one: anonymousIdentity Shared', async () => {
    const { url } = await start([], { anonymousIdentity: 'Shared' });
    const hub = await hubOf(url);
    for (const path of ['', `?connectionId=${String(hub.connectionId)}`])
      expect(await status(url, `GET /helper/memory${path}`)).toEqual([403, 'forbidden']);
    expect(await status(url, 'GET /helper/memory', { headers: bearer(token) })).toEqual([200]);
  });

  it('is not asked for by another website, nor with a token that is not valid', async () => {
    const { url } = await start();
    const headers = { ...bearer(token), origin: 'https://elsewhere.example' };
    expect(await status(url, 'GET /helper/memory', { headers })).toEqual([403, 'forbidden']);
    expect(await status(url, 'DELETE /helper/memory', { headers })).toEqual([403, 'forbidden']);
    expect(await status(url, 'GET /helper/memory', { headers: bearer('x.y.z') })).toEqual([401, 'unauthenticated']);
  });
});
