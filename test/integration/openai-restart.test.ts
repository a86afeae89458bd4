import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { calling, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** The action writes a line each time that it runs. */
const plugin = `
import { appendFileSync } from 'node:fs';
export default {
  name: 'bank',
  actions: [{
    name: 'pay', description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    execute: ({ amount }) => { appendFileSync(process.env.LEDGER, amount + '\\n'); return { amount }; },
  }],
};`;

interface Desk {
  readonly scripts: readonly ModelScript[];
  readonly settings?: object;
  readonly shutdownGrace?: string;
}

/** A server that keeps its turns, and what outlives its process. */
async function desk({ scripts, settings = {}, shutdownGrace = '1s' }: Desk) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-openai-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { configuration, model } = await scriptedConfiguration({
    scripts,
    plugin,
    settings: {
      auth: { jwt: { secret: tokenSecret } },
      endpoints: { openai: { enabled: true } },
      server: { durableTurns: true, shutdownGrace },
      ...settings,
    },
  });
  const config = join(folder, 'helper.yaml');
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(configuration));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const apiKey = await makeToken({ sub: 'ann' });
  const start = (): ServerProcess => startServerProcess({ folder, config, environment: { LEDGER: ledger } });
  const clientOf = async ({ url }: ServerProcess): Promise<OpenAI> =>
    new OpenAI({ baseURL: `${await url}/v1`, apiKey, maxRetries: 0 });
  /** How many turns the storage has for the next process. */
  const kept = (): unknown => {
    const database = new SqliteDatabase(join(folder, 'helper.db'));
    onTestFinished(() => void database.close());
    return database.prepare('SELECT count(*) FROM turn WHERE forget_at IS NULL').pluck().get();
  };
  return { start, clientOf, kept, model, apiKey, paid: () => readFileSync(ledger, 'utf8') };
}

const question = 'Count';
const messages = [{ role: 'user' as const, content: question }];

/** Each way to ask for a reply. `onText` is called with each piece of a stream. */
const ways: Readonly<Record<string, (client: OpenAI, onText: (piece: string) => void) => Promise<unknown>>> = {
  'a streamed chat completion': async (client, onText) => {
    const stream = await client.chat.completions.create({ model: 'helper', messages, stream: true });
    for await (const { choices } of stream) onText(choices[0]?.delta.content ?? '');
  },
  'a chat completion': (client) => client.chat.completions.create({ model: 'helper', messages }),
  'a streamed response': async (client, onText) => {
    const stream = await client.responses.create({ model: 'helper', input: question, stream: true });
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') onText(event.delta);
      if (event.type === 'response.failed') throw Object.assign(new Error('failed'), event.response.error);
    }
  },
  'a response': (client) => client.responses.create({ model: 'helper', input: question }),
};

const draining = { code: 'server_draining', message: expect.stringContaining('The server is being restarted.') };

describe('a reply that a restart cuts off (contract/openai.md#restarts)', () => {
  // proves service-4.7-56
  it.each(Object.entries(ways))('ends with an error, and its turn with it: %s', async (name, ask) => {
    const { start, clientOf, kept, model } = await desk({ scripts: [hangingAfter('One')] });
    const server = start();
    let text = '';
    const said = Promise.withResolvers<undefined>();
    const asked = ask(await clientOf(server), (piece) => {
      text += piece;
      if (text === 'One') said.resolve(undefined);
    });
    const told = expect(asked).rejects.toMatchObject(draining);
    await (name.includes('streamed') ? said.promise : model.request(0));
    expect(await server.kill('SIGTERM')).toBe(0);
    await told;
    expect(kept()).toBe(0);
    expect((await (await model.request(0)).closed).early).toBe(true);
  });

  // proves service-4.7-56
  it('is told to its end where it ends within the grace', async () => {
    const gate = Promise.withResolvers<undefined>();
    const slow: ModelScript = async (exchange) => {
      await gate.promise;
      await saying('One, two.')(exchange);
    };
    const { start, clientOf, model } = await desk({ scripts: [slow], shutdownGrace: '20s' });
    const server = start();
    const client = await clientOf(server);
    const asked = client.chat.completions.create({ model: 'helper', messages });
    await model.request(0);
    const exited = server.kill('SIGTERM');
    await vi.waitFor(() => {
      expect(server.printed()).toContain('told to stop');
    });
    gate.resolve(undefined);
    expect((await asked).choices[0]?.message.content).toBe('One, two.');
    expect(await exited).toBe(0);
  });

  // proves service-4.7-56
  it('is gone after a crash, and no other process goes on with its turn', async () => {
    const { start, clientOf, kept, model } = await desk({ scripts: [hangingAfter('One')] });
    const server = start();
    const asked = (await clientOf(server)).chat.completions.create({ model: 'helper', messages });
    const told = expect(asked).rejects.toThrow();
    await model.request(0);
    await server.kill('SIGKILL');
    await told;
    expect(kept()).toBe(0);
  });
});

describe('a reply behind which something was changed by a rule (contract/openai.md#restarts)', () => {
  const settings = { hitlMode: 'Native', autoApprovalRules: [{ tool: 'pay' }] };
  const scripts = [calling({ name: 'pay', arguments: { amount: 5 } }), hangingAfter('Paid')];

  // proves service-4.7-56
  it('ends with an error when the server stops', async () => {
    const { start, clientOf, kept, model, paid } = await desk({ scripts, settings });
    const server = start();
    const asked = (await clientOf(server)).chat.completions.create({ model: 'helper', messages });
    const told = expect(asked).rejects.toMatchObject(draining);
    await model.request(1);
    expect(await server.kill('SIGTERM')).toBe(0);
    await told;
    expect([paid(), kept()]).toEqual(['5\n', 0]);
  });

  // proves service-4.7-57
  it('is not made by the next process after a crash, which only tells how its turn has ended', async () => {
    const { start, clientOf, kept, model, paid } = await desk({ scripts, settings });
    const server = start();
    const asked = (await clientOf(server)).chat.completions.create({ model: 'helper', messages });
    const told = expect(asked).rejects.toThrow();
    await model.request(1);
    await server.kill('SIGKILL');
    await told;
    expect(kept()).toBe(1);
    await start().url;
    await vi.waitFor(() => {
      expect(kept()).toBe(0);
    });
    expect(model.requests).toHaveLength(2);
    expect(paid()).toBe('5\n');
  });
});

describe('a reply that another reader takes over (contract/openai.md#errors)', () => {
  // proves service-4.7-58
  it.each(Object.entries(ways).filter(([name]) => name.includes('streamed')))(
    'ends with an error: %s',
    async (_name, ask) => {
      const { start, apiKey, model } = await desk({ scripts: [hangingAfter('One')] });
      const server = start();
      const url = await server.url;
      const turnId = Promise.withResolvers<string>();
      /** Notes the id of the turn, which the ids of replies end with. */
      const noting: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        const [mine, theirs] = (response.body as ReadableStream<Uint8Array>).tee(); // an answer to a POST has a body
        void theirs
          .getReader()
          .read()
          .then(({ value }) => {
            turnId.resolve(/(?:chatcmpl-|resp_)([^"]+)/u.exec(new TextDecoder().decode(value))?.[1] ?? '');
          });
        return new Response(mine, response);
      };
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, fetch: noting });
      const asked = ask(client, () => undefined);
      const told = expect(asked).rejects.toMatchObject({ code: 'turn_in_progress' });
      await model.request(0);
      const headers = { 'last-event-id': `${await turnId.promise}:0`, authorization: `Bearer ${apiKey}` };
      await openSse(`${url}/helper/chat`, { headers });
      await told;
    },
  );
});
