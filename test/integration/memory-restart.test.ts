import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, ownPostgres } from '../support/databases/postgres.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import type { Fact } from '../../src/core/ports/memory-store.ts';
import { bearer, factsOf, finding, say, textsOf } from '../support/remembering.ts';
import { calling, hangingAfter, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const token = await makeToken({ sub: 'ann' });
const dog = finding({ kind: 'fact', text: 'Has a dog.' });

/** A model that plays `scripts`, and processes that answer with it, one after the other, on the same folder. */
async function prepared(scripts: readonly ModelScript[], settings: object = {}, models: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-memory-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const written = {
    appName: 'Test',
    chatClient: 'main',
    models: {
      main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none', maxRetries: 0 },
      ...models,
    },
    actions: { plugins: [join(import.meta.dirname, '../../plugins')] },
    auth: { jwt: { secret: tokenSecret } },
    useMemoryContext: true,
    hitlMode: 'Native',
    ...settings,
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(written));
  const data = join(folder, 'data');
  const start = (environment: Readonly<Record<string, string>> = {}): ServerProcess =>
    startServerProcess({ folder: data, config, environment });
  const sent = (): readonly string[] => model.requests.map(({ body }) => JSON.stringify(body));
  return { start, model, sent, data };
}

describe.skipIf(!hasPostgres)('a database that is away (contract/memory.md#capture)', () => {
  // proves service-2.10-82
  it('loses nothing that was said in a turn that is told as completed', async () => {
    const postgres = await ownPostgres();
    const url = await postgres.newDatabase();
    const { start } = await prepared([saying('Hi.'), saying(dog)], { storage: { type: 'postgres', url } });
    const server = start();
    const address = await server.url;
    await postgres.stop();
    expect(await say(address, 'I have a dog.', token)).toMatchObject({ status: 'completed' });
    await postgres.run();
    expect(await textsOf(address, token, 1)).toEqual(['Has a dog.']);
  });
});

describe('a crash (contract/memory.md#capture)', () => {
  // proves service-2.10-13, service-2.10-22
  it('loses nothing that was said: the next process looks for facts in it, and what is remembered stays', async () => {
    const { start, model, sent } = await prepared([saying('Hi.'), hangingAfter(''), saying(dog)]);
    const first = start();
    expect(await say(await first.url, 'I have a dog.', token)).toMatchObject({ status: 'completed' });
    await model.request(1);
    await first.kill('SIGKILL');
    const second = start();
    expect(await textsOf(await second.url, token, 1)).toEqual(['Has a dog.']);
    expect(sent()[2]).toContain('I have a dog.');
    await second.kill('SIGKILL');
    expect(await textsOf(await start().url, token, 1)).toEqual(['Has a dog.']);
    expect(model.requests).toHaveLength(3);
  });

  // proves service-2.10-21
  it('brings back nothing that its user has erased, not from what nobody had looked at', async () => {
    const { start, model, sent } = await prepared([saying('Hi.'), hangingAfter(''), saying('Well.'), saying('{}')]);
    const first = start();
    const firstUrl = await first.url;
    await say(firstUrl, 'I have a dog.', token);
    await model.request(1);
    const erased = await fetch(`${firstUrl}/helper/memory`, { method: 'DELETE', headers: bearer(token) });
    expect(erased.status).toBe(204);
    await first.kill('SIGKILL');
    const url = await start().url;
    await say(url, 'I have a cat.', token);
    await model.request(3);
    expect(sent()[3]).toContain('I have a cat.');
    expect(sent().slice(2).join('\n')).not.toContain('I have a dog.');
    expect(await factsOf(url, token)).toEqual([]);
  });
});

describe('a clock that is three hours behind after a restart (contract/sessions.md#erasing)', () => {
  // proves service-2.9-97, service-2.9-98
  it('lets what is said after an erasure be remembered, and the log says so', async () => {
    const cat = finding({ kind: 'fact', text: 'Has a cat.' });
    const { start } = await prepared([saying('Hi.'), saying(dog), saying('Well.'), saying(cat)]);
    const first = start();
    const firstUrl = await first.url;
    await say(firstUrl, 'I have a dog.', token);
    await textsOf(firstUrl, token, 1);
    await fetch(`${firstUrl}/helper/memory`, { method: 'DELETE', headers: bearer(token) });
    await first.kill('SIGKILL');
    const behind = 'const { now } = Date; Date.now = () => now() - 10_800_000;';
    const second = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(behind)}` });
    const url = await second.url;
    await say(url, 'I have a cat.', token);
    expect(await textsOf(url, token, 1)).toEqual(['Has a cat.']);
    expect(second.printed()).toContain('the clock of this machine is behind');
  });
});

describe('a turn that goes on in another process (contract/memory.md#prompt)', () => {
  // proves service-2.10-07
  it('has the facts that it began with', async () => {
    const scripts = [saying('Hi.'), saying(dog), calling({ name: 'cancel_order', arguments: { orderNumber: 1003 } })];
    const { start, model, sent } = await prepared([...scripts, saying('Done.'), saying('{}')]);
    const first = start();
    const firstUrl = await first.url;
    await say(firstUrl, 'I have a dog.', token);
    await textsOf(firstUrl, token, 1);
    const chat = await openSse(`${firstUrl}/helper/chat`, { body: { message: 'Cancel it.' }, headers: bearer(token) });
    const { id, data } = await chat.next('confirmation');
    await fetch(`${firstUrl}/helper/memory`, { method: 'DELETE', headers: bearer(token) });
    await first.kill('SIGKILL');
    const url = await start().url;
    const going = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id ?? '', ...bearer(token) } });
    await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    await going.next('end');
    expect(sent()[3]).toContain('Has a dog.');
    expect(model.requests.length).toBeGreaterThanOrEqual(4);
  });
});

describe('vectors of facts (contract/memory.md#prompt)', () => {
  // proves service-2.10-32
  it('outlive a crash, so that the next process asks the model for none of them', async () => {
    const vectors = await startEmbeddingServer({ same: [['parcels', 'vehicle']] });
    const scripts = [saying('Hi.'), saying(finding({ kind: 'fact', text: 'Owns a vehicle.' }))];
    const { start, sent } = await prepared(
      [...scripts, saying('One.'), saying('{}'), saying('Two.'), saying('{}')],
      { memoryRelevanceFiltering: true, embeddingGenerator: 'vectors' },
      { vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl: vectors.url } },
    );
    const first = start();
    await say(await first.url, 'I have a vehicle.', token);
    await textsOf(await first.url, token, 1);
    // This message waits until the fact has its vector.
    await say(await first.url, 'How many parcels fit?', token);
    await first.kill('SIGKILL');
    await say(await start().url, 'Do my parcels fit?', token);
    const asked = sent().find((body) => body.includes('\\n</data>\\nDo my parcels fit?'));
    expect(asked).toContain('Owns a vehicle.');
    expect(vectors.texts()).toContain('Do my parcels fit?');
    expect(vectors.texts().filter((text) => text === 'Owns a vehicle.')).toHaveLength(1);
  });
});

describe('retention.memory (contract/memory.md#storage)', () => {
  // proves service-2.10-24
  it('deletes facts that are older, when the server starts', async () => {
    const { start, data } = await prepared([], { retention: { memory: '2d' } });
    const { memory, journal } = await openStores({ type: 'embedded', path: data });
    const day = 24 * 60 * 60 * 1000;
    const fact = (id: string, at: number): Fact => ({
      ...{ id, kind: 'fact' as const, text: id, hash: id, turnId: 't', conversationId: 'c', at },
    });
    const userKey = 'id:ann';
    await memory.pend({ turnId: 't', conversationId: 'c', userKey, words: 'x', askedAt: Date.now() });
    const add = [fact('old', Date.now() - 3 * day), fact('new', Date.now() - day)];
    await memory.change(userKey, { add, replace: [], remove: [] }, 't');
    await journal.close();
    const url = await start().url;
    expect(await textsOf(url, token, 1)).toEqual(['new']);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics.includes('helperagent_purged_rows_total{kind="memory"} 1')).toBe(true);
  });
});
