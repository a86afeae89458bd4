import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { sendRefusal, startEmbeddingServer } from '../support/embedding-server.ts';
import { failing, type ModelScript, sending, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

/** A word that only the user and the document say. */
const planted = 'zucchiniswirl';

/** Refuses a call. The text of the refusal contains the whole request. */
function echoing(status: number): ModelScript {
  return (exchange) => {
    const message = `I do not understand ${JSON.stringify(exchange.request.body)}`;
    return failing(status, { body: { error: { message, type: 'invalid_request_error', code: 'odd_input' } } })(
      exchange,
    );
  };
}

/** Ends a reply that has begun with an error. The text of the error contains the whole request. */
const echoingLate: ModelScript = (exchange) => {
  const error = { message: `I give up ${JSON.stringify(exchange.request.body)}`, type: 'server_error' };
  return sending(`data: ${JSON.stringify({ error })}\n\n`)(exchange);
};

type Entry = (url: string) => object;

const openAi: Entry = (baseUrl) => ({ provider: 'openai', baseUrl, model: 'main', apiKey: 'none', maxRetries: 1 });

const ways: readonly (readonly [string, Entry])[] = [
  ['an OpenAI-compatible endpoint', openAi],
  ['the Responses API', (url) => ({ ...openAi(url), api: 'responses' })],
  [
    'an installed LangChain package',
    (baseURL) => ({
      ...{ provider: '@langchain/openai', class: 'ChatOpenAI', maxRetries: 1 },
      options: { model: 'main', apiKey: 'none-at-all', configuration: { baseURL } },
    }),
  ],
];

/** The log of a process after one message that contains the word and leads to a fault. */
async function logOf(script: ModelScript, entry: Entry = openAi, settings: object = {}): Promise<string> {
  const folder = temporaryFolder();
  const model = await startScriptedModel({ otherwise: script });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const models = { main: entry(model.url) };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ appName: 'Test', chatClient: 'main', models, actions: 'none', ...settings }));
  const server = startServerProcess({ folder: join(folder, 'data'), config });
  const chat = await openSse(`${await server.url}/helper/chat`, { body: { message: `Tell me of ${planted}.` } });
  await chat.next('failure');
  await chat.next('end');
  expect(JSON.stringify(model.requests[0]?.body)).toContain(planted);
  await server.kill('SIGTERM');
  return server.printed();
}

describe('a provider that repeats what it was sent (contract/operations.md#logs)', () => {
  // proves wire-6-53
  it.each(ways)('behind %s leaves status, type and code in the log, and none of its words', async (_name, entry) => {
    const log = await logOf(echoing(400), entry);
    expect(log).toMatch(/the model answered 400 \((invalid_request_error, )?odd_input\)/);
    expect(log).not.toContain(planted);
    expect(log).not.toContain('I do not understand');
  });

  // proves wire-6-53
  it('leaves none of its words in the log when it breaks off a reply', async () => {
    const log = await logOf(echoingLate);
    expect(log).toContain('the model answered 500 (server_error)');
    expect(log).not.toContain(planted);
  });

  // proves wire-6-53
  it('is quoted, at most 500 characters of it, with observabilityIncludeSensitiveData, and the server warns', async () => {
    const log = await logOf(echoing(400), openAi, { observabilityIncludeSensitiveData: true });
    expect(log).toContain('the model answered 400 (invalid_request_error, odd_input): I do not understand');
    expect(log).toContain('HLP1018');
    const reason = /I do not understand.*?(?<!\\)"/.exec(log)?.[0] ?? '';
    expect(reason.length).toBeLessThan(1_000);
  });

  // proves wire-6-53
  it.each([
    [401, 'no such key'],
    [404, 'no such model: pull it first'],
    [429, 'too many requests of this organisation'],
  ])('is quoted with %i, which comes before anything is read, up to 200 characters', async (status, words) => {
    const script = failing(status, { body: { error: { message: `${words} ${'x'.repeat(400)}${planted}` } } });
    const log = await logOf(script);
    expect(log).toContain(`the model answered ${String(status)}: ${words} xxx`);
    expect(log).not.toContain(planted);
  });
});

describe('an embedding model that repeats what it was sent (contract/operations.md#logs)', () => {
  // proves wire-6-53
  it('leaves neither documents nor questions in the log, nor in what helper knowledge shows', async () => {
    const folder = temporaryFolder();
    const docs = join(folder, 'docs');
    writeFiles(docs, { 'secret.markdown': `# Plans\n\nWe sell the ${planted} in May.` });
    const vectors = await startEmbeddingServer();
    vectors.answerWith(({ texts }, response) => sendRefusal(response, 400, `Not this: ${texts.join(' ')}`));
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    const config = join(folder, 'helper.yaml');
    const written = {
      ...{ appName: 'Test', chatClient: 'main', actions: 'none', useRag: true, embeddingGenerator: 'vectors' },
      models: {
        main: { provider: 'openai', baseUrl: model.url, model: 'main', apiKey: 'none' },
        vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl: vectors.url },
      },
      ragSources: [{ type: 'files', name: 'docs', path: docs }],
    };
    writeFileSync(config, JSON.stringify(written));
    const server = startServerProcess({ folder: join(folder, 'data'), config });
    const url = await server.url;
    await vi.waitFor(() => expect(vectors.texts().join(' ')).toContain(planted));
    const chat = await openSse(`${url}/helper/chat`, { body: { message: `When do we sell the ${planted}?` } });
    await chat.next('end');
    await vi.waitFor(() => expect(server.printed()).toContain('gives no vectors'));
    const context = fakeContext(folder);
    expect(await runCommand(['knowledge', '--config', config], context)).toBe(0);
    expect(context.written()).toContain('0 of 1 parts: the model answered 400');
    expect(context.written()).not.toContain(planted);
    await server.kill('SIGTERM');
    expect(server.printed()).toContain('the embedding model has no vector for a question');
    expect(server.printed()).toContain('the model answered 400');
    expect(server.printed()).not.toContain(planted);
  });
});
