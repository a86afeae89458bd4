import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenAiEmbedder } from '../../src/adapters/models/embeddings/openai-embedder.ts';
import { embeddingsDoor, openAiEndpoint } from '../../src/adapters/models/openai-wire/wire-endpoint.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { OpenedModels } from '../support/opened-models.ts';
import { chunk, ending, failing, type ModelScript, saying, sending } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const done = 'data: [DONE]\n\n';
const reply = chunk({ content: 'Hi' }) + chunk({ content: ' you' }) + chunk({ content: ' two' }) + ending();

/** Refuses every request that has this field. */
function refusing(field: string, error: object): ModelScript {
  return (exchange) => (field in exchange.request.body ? failing(400, { body: { error } }) : saying('OK'))(exchange);
}

/** Sends a body with these headers, in reads of one to five bytes. */
function bytes(body: Uint8Array, headers: Readonly<Record<string, string>> = {}): ModelScript {
  return async (exchange) => {
    exchange.head(200, { 'content-type': 'text/event-stream', ...headers });
    for (let at = 0, size = 1; at < body.length; at += size, size = (size % 5) + 1) {
      await exchange.send(body.subarray(at, at + size));
      if (at % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    exchange.end();
  };
}

/** The same events with their JSON over many lines. */
function overLines(stream: string): string {
  return stream.replaceAll(/^data: (\{.*\})$/gm, (_line, json: string) =>
    JSON.stringify(JSON.parse(json), null, 1)
      .split('\n')
      .map((line) => `data: ${line}`)
      .join('\n'),
  );
}

describe('a stream of an odd form (contract/models.md)', () => {
  // proves configuration-3-94
  it.each([
    ['a byte order mark', Buffer.from(`\uFEFF${reply}`), {}],
    ['a byte order mark of its own', Buffer.from(`\uFEFF\n\n${reply}`), {}],
    ['lines that end with a carriage return', Buffer.from(reply.replaceAll('\n', '\r')), {}],
    ['lines that end with both', Buffer.from(reply.replaceAll('\n', '\r\n')), {}],
    ['data over several lines', Buffer.from(overLines(reply)), {}],
    ['data over several lines that end with both', Buffer.from(overLines(reply).replaceAll('\n', '\r\n')), {}],
    [
      'data over several lines that end with a carriage return',
      Buffer.from(overLines(reply).replaceAll('\n', '\r')),
      {},
    ],
    ['gzip', gzipSync(reply), { 'content-encoding': 'gzip' }],
    ['deflate', deflateSync(reply), { 'content-encoding': 'deflate' }],
    ['brotli', brotliCompressSync(reply), { 'content-encoding': 'br' }],
  ])('is read: %s', async (_title, body, headers) => {
    const model = await models.openOn(await models.server(bytes(body, headers)));
    const sink = new CollectedText();
    const read = await model.run(modelRequest(), sink);
    expect(read).toMatchObject({ text: 'Hi you two', usage: { inputTokens: 12, outputTokens: 5 } });
    expect(sink.unescaped).toBe('Hi you two');
  });

  // proves configuration-3-94
  it.each(['', '\uFEFF', ' \n'])('may be a whole document: %j', async (before) => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_order', arguments: '{"id":1}' } }],
    };
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const body = `${before}${JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage })}`;
    const scripted = await models.server(bytes(Buffer.from(body), { 'content-type': 'application/json' }));
    expect(await (await models.openOn(scripted)).run(modelRequest(), new CollectedText())).toMatchObject({
      toolCalls: [{ name: 'get_order', arguments: '{"id":1}' }],
      usage: { inputTokens: 3, outputTokens: 2 },
      finish: 'tool-calls',
    });
  });

  // proves configuration-3-94
  it.each([
    ['an error', { error: { message: 'too many requests', type: 'rate_limit', code: 429 } }, /answered 429/],
    ['an error in a list', [{ error: { message: 'busy', code: 503, status: 'UNAVAILABLE' } }], /answered 503/],
    ['something else', { ok: true }, /neither text nor a call/],
  ])('may be a document that is no reply: %s', async (_title, body, message) => {
    const model = await models.openOn(await models.server(sending(JSON.stringify(body))));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(message);
  });

  // proves configuration-3-94
  it.each([
    ['a document', bytes(Buffer.from(`{"choices":"${'x'.repeat(3_000)}"}`))],
    ['what is packed', bytes(gzipSync(chunk({ content: 'x'.repeat(200_000) })), { 'content-encoding': 'gzip' })],
  ])('keeps its limits: %s', async (_title, script) => {
    const model = await models.openOn(await models.server(script), { maxReplyBytes: 1_000, maxLineBytes: 2_000 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(/longer than/);
  });

  it('is a fault where it cannot be unpacked, and breaks nothing else', async () => {
    const broken = bytes(Buffer.from(reply), { 'content-encoding': 'gzip' });
    const model = await models.openOn(await models.server(broken, sending(chunk({ content: 'Hi' }) + done)));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(/cannot be unpacked/);
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hi');
  });
});

describe('a field that a provider refuses (contract/models.md)', () => {
  // proves configuration-3-93
  it.each([
    ['max_tokens', { maxOutputTokens: 50 }, { message: 'max_tokens is not taken here', param: 'max_tokens' }],
    ['max_tokens', { maxOutputTokens: 50 }, { message: 'Unsupported: use max_completion_tokens, not max_tokens' }],
    ['temperature', { temperature: 0.2 }, { message: "'temperature' is not taken", code: 'unsupported_value' }],
    ['parallel_tool_calls', { options: { parallel_tool_calls: false } }, { message: 'parallel_tool_calls: no' }],
    ['seed', { options: { seed: 3 } }, { message: 'Unknown name "seed"' }],
  ])('is left out from then on: %s', async (field, settings, error) => {
    const scripted = await models.server(...Array.from({ length: 3 }, () => refusing(field, error)));
    const model = await models.openOn(scripted, settings);
    for (const _ of [1, 2]) expect((await model.run(modelRequest(), new CollectedText())).text).toBe('OK');
    expect(scripted.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
    if (field === 'max_tokens') expect(scripted.requests[2]?.body['max_completion_tokens']).toBe(50);
  });

  // proves configuration-3-93
  it('is not sent in any name where both names of a limit are refused', async () => {
    const both: ModelScript = (exchange) => {
      const field = ['max_tokens', 'max_completion_tokens'].find((name) => name in exchange.request.body);
      return (field === undefined ? saying('OK') : failing(400, { body: { error: { param: field } } }))(exchange);
    };
    const model = await models.openOn(await models.server(both, both, both), { maxOutputTokens: 50 });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('OK');
  });

  // proves configuration-3-93
  it.each([
    { message: 'max_tokens is too large: 99999', param: 'max_tokens', code: 'integer_above_max_value' },
    { message: 'the user said "hi" in this context', param: null },
    { message: 'max_tokens and the prompt are too long', code: 'context_length_exceeded' },
  ])('is not one whose value is refused, nor one that is only spoken of: %j', async (error) => {
    const scripted = await models.server(failing(400, { body: { error } }));
    const model = await models.openOn(scripted, { maxOutputTokens: 50, options: { user: 'x' } });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(/answered 400/);
    expect(scripted.requests).toHaveLength(1);
  });

  // proves configuration-3-93
  it('may be the format of embeddings', async () => {
    const vector: ModelScript = async (exchange) => {
      // Two are under way before the first one is refused.
      await scripted.request(1);
      if ('encoding_format' in exchange.request.body)
        return failing(400, { body: { error: { message: "Setting {'encoding_format': 'base64'} is not taken" } } })(
          exchange,
        );
      exchange.head(200, { 'content-type': 'application/json' });
      await exchange.send(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }));
      exchange.end();
    };
    const scripted = await models.server(vector, vector, vector, vector, vector);
    const endpoint = openAiEndpoint({ model: 'e', apiKey: 'none', baseUrl: scripted.url }, embeddingsDoor);
    const embedder = models.keep(new OpenAiEmbedder({ endpoint, provider: 'openai', extraFields: {} }));
    const { signal } = new AbortController();
    const embedded = async (): Promise<unknown> =>
      (await embedder.embed({ texts: ['a'], signal, purpose: 'question' })).vectors;
    expect(await Promise.all([embedded(), embedded()])).toEqual([[[1, 0]], [[1, 0]]]);
    expect(await embedded()).toEqual([[1, 0]]);
    const sent = scripted.requests.map(({ body }) => 'encoding_format' in body);
    expect(sent).toEqual([true, true, false, false, false]);
  });
});

describe('the wait that a provider asks for (contract/models.md)', () => {
  // proves configuration-3-95
  it.each([
    ['7s', 7_000],
    ['1.5s', 1_500],
    [{ seconds: '2', nanos: 500_000_000 }, 2_500],
  ])('is read from the details of an error in a list: %j', async (retryDelay, expected) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
    const error = { code: 429, message: 'quota used up', status: 'RESOURCE_EXHAUSTED', details };
    const model = await models.openOn(await models.server(failing(429, { body: [{ error }] })));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      transient: true,
      retryAfterMs: expected,
      message: 'the model answered 429 (RESOURCE_EXHAUSTED): quota used up',
    });
  });
});
