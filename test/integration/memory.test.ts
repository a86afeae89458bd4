import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { failing, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { factsOf, finding, hubOf, say, textsOf } from '../support/remembering.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub })));
const [annNorth, annSouth] = await Promise.all(['north', 'south'].map((org) => makeToken({ sub: 'ann', org })));
const on = { useMemoryContext: true, auth: { jwt: { secret: tokenSecret } } };
const start = (scripts: readonly ModelScript[], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({ scripts, settings: { actions: 'none', ...on, ...settings } });

/** A server whose embedding model relates parcels to vehicles. Its first message gives two facts. */
async function byMeaning(settings: object = {}) {
  const vectors = await startEmbeddingServer({ same: [['parcels', 'vehicle']] });
  const facts = ['Owns a vehicle.', 'Sells tea.'].map((text) => ({ kind: 'fact', text }));
  const server = await scriptedServer({
    scripts: [saying('One.'), saying(finding(...facts)), saying('Two.'), saying('{}')],
    settings: { actions: 'none', ...on, memoryRelevanceFiltering: true, embeddingGenerator: 'vectors', ...settings },
    models: { vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl: vectors.url } },
  });
  return { server, vectors };
}

/** The bodies of all requests to the model, in order. */
const sent = ({ model }: ScriptedServer): readonly string[] => model.requests.map(({ body }) => JSON.stringify(body));
const name = { kind: 'identity', text: 'Is called Ann.' };
const dog = { kind: 'fact', text: 'Has a dog.' };
const short = { kind: 'preference', text: 'Wants short answers.' };

describe('what is remembered (contract/memory.md)', () => {
  // proves service-2.10-04
  it('is found in what a user says, and answered with in later conversations: identity, preferences, then the rest', async () => {
    const server = await start([saying('Hi.'), saying(finding(dog, short, name)), saying('Yes.'), saying('{}')]);
    await say(server.url, 'I am Ann, I have a dog, and be brief.', String(ann));
    await textsOf(server.url, String(ann), 3);
    await say(server.url, 'Do you know me?', String(ann));
    const facts = [name, short, dog].map(({ kind, text }) => ({ kind, text }));
    const prompt = server.model.requests[2]?.body['messages'] as readonly { readonly content: string }[]; // the OpenAI wire
    expect(prompt.at(-1)?.content).toBe(
      `<data of="what is remembered about the user">\n${JSON.stringify(facts)}\n</data>\nDo you know me?`,
    );
    const [newest] = await factsOf(server.url, String(ann));
    expect(newest).toEqual({
      id: expect.stringMatching(/^[\w-]{20,}$/) as string,
      kind: expect.any(String) as string,
      text: expect.any(String) as string,
      at: expect.stringMatching(/^20.*Z$/) as string,
      conversationId: expect.stringMatching(/^[\w-]{20,}$/) as string,
    });
  });

  // proves service-2.10-09
  it('is asked of classifierChatClient, with the user’s own words alone', async () => {
    const small = await scriptedServer({ scripts: [saying(finding(dog))], settings: {} });
    const server = await start([saying('The reply of the model.')], {
      classifierChatClient: 'small',
      models: {
        main: { provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'main', apiKey: 'none' },
        small: { provider: 'openai', baseUrl: small.model.url, model: 'small', apiKey: 'none' },
        demo: { provider: 'demo' },
      },
      chatClient: 'demo',
    });
    const hub = await hubOf(server.url, String(ann));
    await hub.invoke('SetPage', { name: 'orders', data: { secret: 'of the page' } });
    await hub.invoke('SendMessage', 'I have a dog.');
    await textsOf(server.url, String(ann), 1);
    const asked = sent(small)[0] ?? '';
    expect(asked).toContain('I have a dog.');
    expect(asked).not.toMatch(/of the page|demo model/);
  });

  // proves service-2.10-09
  it('is not looked for in what is sent with a submitted card, since the card words its button', async () => {
    const server = await start([saying('Noted.'), saying('Yes.'), saying('{}')]);
    const hub = await hubOf(server.url, String(ann));
    await hub.invoke('SendMessage', 'Sent: I am Eve', { cardSubmit: { cardId: 'c', data: {} } });
    await hub.invoke('SendMessage', 'I have a dog.');
    await server.model.request(2);
    expect(sent(server)[2]).toContain('You keep the memory');
    expect(sent(server)[2]).toContain('I have a dog.');
    expect(sent(server)[2]).not.toContain('I am Eve');
  });

  // proves service-2.10-12
  it('never delays the end of a turn, and never fails it', async () => {
    const server = await start([saying('One.'), hangingAfter(''), saying('Two.'), failing(400)]);
    expect(await say(server.url, 'I have a dog.', String(ann))).toMatchObject({ status: 'completed' });
    await server.model.request(1);
    expect(await say(server.url, 'I have a cat.', String(bob))).toMatchObject({ status: 'completed' });
    const { url } = server;
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics.includes('helperagent_memory_captures_total{outcome="failed"} 1')).toBe(true);
    });
  });

  // proves service-2.10-38
  it('is found in the message of a turn that was stopped, and not in that of one that failed', async () => {
    const server = await start([failing(400), hangingAfter('Well, '), saying(finding(dog))]);
    const hub = await hubOf(server.url, String(ann));
    await hub.invoke('SendMessage', 'I have a cat.');
    const ignored = { next: () => undefined, error: () => undefined, complete: () => undefined };
    const turn = hub.stream('StreamMessage', 'I have a dog.').subscribe(ignored);
    await server.model.request(1);
    turn.dispose();
    expect(await textsOf(server.url, String(ann), 1)).toEqual(['Has a dog.']);
    const asked = sent(server).filter((body) => body.includes('You keep the memory'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain('I have a cat.');
  });

  // proves service-2.10-39
  it('is neither looked for nor answered with where memoryAutoCapture or useMemoryContext is off', async () => {
    for (const settings of [{ memoryAutoCapture: false }, { useMemoryContext: false }]) {
      const server = await start([saying('One.'), saying('Two.')], settings);
      await say(server.url, 'I have a dog.', String(ann));
      await say(server.url, 'I have a cat.', String(ann));
      expect(sent(server).filter((body) => body.includes('You keep the memory'))).toEqual([]);
    }
  });

  // proves service-2.10-03
  it('has no place for a caller without a name over server-sent events, who never comes back', async () => {
    const server = await start([saying('One.'), saying('Two.')]);
    await say(server.url, 'I have a dog.');
    await say(server.url, 'I have a cat.');
    expect(server.model.requests).toHaveLength(2);
  });

  // proves service-2.10-03
  it('is shared by all callers without a name with anonymousIdentity Shared', async () => {
    const scripts = [saying('One.'), saying(finding(dog)), saying('Two.'), saying('{}')];
    const server = await start(scripts, { anonymousIdentity: 'Shared' });
    await say(server.url, 'I have a dog.');
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics.includes('helperagent_memory_captures_total{outcome="changed"} 1')).toBe(true);
    });
    await say(server.url, 'What do I have?');
    expect(sent(server)[2]).toContain('Has a dog.');
  });

  // proves service-2.10-05, service-2.10-06
  it('is at most memoryContextCount facts, and with memoryRelevanceFiltering those that share words', async () => {
    const facts = ['red cars', 'blue boats', 'old trains'].map((what) => ({ kind: 'fact', text: `Sells ${what}.` }));
    const settings = { memoryContextCount: 2, memoryRelevanceFiltering: true };
    const server = await start(
      [saying('One.'), saying(finding(name, short, ...facts)), saying('Two.'), saying('{}'), saying('3'), saying('{}')],
      settings,
    );
    await say(server.url, 'All about me.', String(ann));
    await textsOf(server.url, String(ann), 5);
    await say(server.url, 'How are the boats?', String(ann));
    expect(sent(server)[2]).toMatch(/called Ann.*short answers/);
    expect(sent(server)[2]).not.toContain('boats.');
    for (const { id, kind } of await factsOf(server.url, String(ann))) {
      if (kind === 'fact') continue;
      const headers = { authorization: `Bearer ${String(ann)}` };
      await fetch(`${server.url}/helper/memory?id=${id}`, { method: 'DELETE', headers });
    }
    await say(server.url, 'And the boats?', String(ann));
    const [last = ''] = sent(server).filter((body) => body.includes('And the boats') && !body.includes('You keep'));
    expect(last).toContain('Sells blue boats.');
    expect(last).not.toMatch(/red cars|old trains/);
  });

  // proves service-2.10-29
  it('is found by what it means too, with embeddingGenerator', async () => {
    const { server, vectors } = await byMeaning();
    await say(server.url, 'About me.', String(ann));
    await textsOf(server.url, String(ann), 2);
    await vi.waitFor(() => expect(vectors.texts()).toEqual(expect.arrayContaining(['Owns a vehicle.', 'Sells tea.'])));
    await say(server.url, 'Where are parcels?', String(ann));
    expect(sent(server)[2]).toContain('Owns a vehicle.');
    expect(sent(server)[2]).not.toContain('Sells tea.');
  });

  // proves service-2.10-31
  it('shares the vector of a message with the documents', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pages-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'hours.markdown'), '# Hours\n\nThe shop is open from nine to five.');
    const { server, vectors } = await byMeaning({
      useRag: true,
      ragSources: [{ type: 'files', name: 'help', path: folder }],
    });
    await say(server.url, 'About me.', String(ann));
    await textsOf(server.url, String(ann), 2);
    await vi.waitFor(() => expect(vectors.texts().some((text) => text.includes('nine to five'))).toBe(true));
    await say(server.url, 'Where are parcels?', String(ann));
    expect(vectors.texts().filter((text) => text === 'Where are parcels?')).toHaveLength(1);
  });

  // proves service-2.10-02
  it.each([
    ['another user', {}, String(ann), String(bob)],
    ['a user of the same id in another tenant', { tenancy: { claim: 'org' } }, String(annNorth), String(annSouth)],
  ])('is no business of %s', async (_who, settings, owner, other) => {
    const server = await start([saying('One.'), saying(finding(name)), saying('Two.'), saying('{}')], settings);
    await say(server.url, 'I am Ann.', owner);
    await textsOf(server.url, owner, 1);
    expect(await factsOf(server.url, other)).toEqual([]);
    await say(server.url, 'Who am I?', other);
    await vi.waitFor(() => expect(server.model.requests).toHaveLength(4));
    expect(sent(server).slice(2).join('\n')).not.toContain('Is called Ann.');
    const id = (await factsOf(server.url, owner))[0]?.id ?? '';
    const headers = { authorization: `Bearer ${other}`, 'content-type': 'application/json' };
    for (const [method, body] of [
      ['PATCH', JSON.stringify({ text: 'Is called Eve.' })],
      ['DELETE', undefined],
    ] as const) {
      const request = body === undefined ? { authorization: headers.authorization } : headers;
      const answer = await fetch(`${server.url}/helper/memory?id=${id}`, {
        method,
        headers: request,
        body: body ?? null,
      });
      expect(answer.status).toBe(404);
    }
    await fetch(`${server.url}/helper/memory`, { method: 'DELETE', headers: { authorization: headers.authorization } });
    expect(await textsOf(server.url, owner, 1)).toEqual(['Is called Ann.']);
  });
});
