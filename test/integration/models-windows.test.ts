import { afterEach, describe, expect, it } from 'vitest';
import { isOwnHost } from '../../src/adapters/models/local-window.ts';
import { ContextExceeded } from '../../src/core/ports/context-exceeded.ts';
import { turnOf, words } from '../support/histories.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey } from '../support/opened-models.ts';
import { PackageChat } from '../support/package-chat.ts';
import {
  chunk,
  ending,
  failing,
  type ModelScript,
  type ScriptedModel,
  startScriptedModel,
} from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

/** Seven messages, of which a window of 2,048 tokens holds three. */
const long = [...turnOf(900, []), ...turnOf(900, []), ...turnOf(900, []), ...turnOf(20, [], { isOpen: true })];
const request = modelRequest({ messages: long });

/** Answers, and counts a token for each word. */
const ok: ModelScript = async (exchange) => {
  const tokens = JSON.stringify(exchange.request.body['messages']).split(' ').length;
  await exchange.send(chunk({ content: 'ok' }) + ending('stop', { prompt_tokens: tokens, completion_tokens: 1 }));
  exchange.end();
};

/** Takes three messages and the instructions at most, and says so in these words. */
const taking = (body: object, status = 400): ModelScript => {
  return (exchange) => {
    const { length } = exchange.request.body['messages'] as readonly unknown[]; // OpenAI's protocol has a list here
    return (length > 4 ? failing(status, { body }) : ok)(exchange);
  };
};
const sentTo = ({ requests }: ScriptedModel): readonly number[] =>
  requests.flatMap(({ body }) => (Array.isArray(body['messages']) ? [body['messages'].length] : []));
const warnings = (): readonly object[] => models.logged.filter((line) => 'takes' in line);
const said = (message: string, more: object = {}): object => ({ error: { message, ...more } });

/** How providers name their limit; none is a quotation. */
const refusals: readonly (readonly [string, object])[] = [
  ['OpenAI, vLLM, DeepSeek', said("This model's maximum context length is 2048 tokens, you asked for 9000 tokens.")],
  [
    'Anthropic',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9000 tokens > 2048 maximum' },
    },
  ],
  [
    'Anthropic, with its answer',
    said('input length and `max_tokens` exceed context limit: 9000 + 1000 > 2,048, less please'),
  ],
  ['Google, without parentheses', said('The input token count exceeds the maximum number of tokens allowed 2048.')],
  ['OpenAI, of late', said('Input tokens exceed the configured limit of 2048 tokens. Your messages have 9000.')],
  ['Google, in a list', [said('The input token count (9000) exceeds the maximum number of tokens allowed (2048).')]],
  [
    'OpenRouter',
    said(
      "This endpoint's maximum context length is 2048 tokens, and about 9000 tokens were sent (9000 of text input).",
    ),
  ],
  ['xAI', { code: 'x', error: "This model's maximum prompt length is 2048 but the request contains 9000 tokens." }],
  [
    'Mistral',
    { object: 'error', message: 'Prompt contains 9000 tokens, too large for model with 2048 maximum context length' },
  ],
  [
    'llama.cpp, in a member',
    said('the request exceeds the available context size', { type: 'exceed_context_size_error', n_ctx: 2048 }),
  ],
  [
    'llama.cpp, in words',
    said('request (9000 tokens) exceeds the available context size (2048 tokens), try increasing it'),
  ],
  ['LM Studio', { error: 'The model is loaded with context length of only 2048 tokens, which is not enough' }],
  ['vLLM, of late', said('The decoder prompt (length 9000) is longer than the maximum model length of 2048.')],
  ['Text Generation Inference', said('`inputs` must have less than 2048 tokens. Given: 9000')],
  ['GitHub', said('Request body too large. Max size: 2048 tokens.', { code: 'tokens_limit_reached' })],
  [
    'Copilot',
    said('prompt token count of 9000 exceeds the limit of 2048', { code: 'model_max_prompt_tokens_exceeded' }),
  ],
  ['Cohere', { message: 'too many tokens: the prompt exceeds the limit of 2048.' }],
];

describe('the number in a refusal (contract/models.md#the-context-window)', () => {
  // proves configuration-4-10, configuration-4-11
  it.each(refusals)('is what is sent the next time, and the log names both numbers once: %s', async (_title, body) => {
    const scripted = await models.server(...Array.from({ length: 3 }, () => taking(body)));
    const model = await models.openOn(scripted, { contextWindow: 64_000 });
    await model.run(request, new CollectedText());
    await model.run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([8, 4, 4]);
    expect(warnings()).toEqual([
      expect.objectContaining({
        entry: 'models.main',
        contextWindow: 64_000,
        takes: 2048,
        message: 'the model takes 2048 tokens, and contextWindow of models.main is 64000: set it to 2048',
      }),
    ]);
  });

  // proves configuration-4-10
  it('holds over a package, too', async () => {
    const overflow = Object.assign(new Error('prompt is too long: 9000 tokens > 2048 maximum'), {
      name: 'ContextOverflowError',
    });
    const chat = new PackageChat(overflow, [{ content: 'ok' }]);
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(warnings()).toEqual([expect.objectContaining({ takes: 2048 })]);
  });

  // proves configuration-4-10
  it('is read of an answer of Amazon, which has its status elsewhere', async () => {
    const refused = Object.assign(new Error('Input is too long for requested model.'), {
      name: 'ValidationException',
      $metadata: { httpStatusCode: 400 },
    });
    const chat = new PackageChat(refused, [{ content: 'ok' }]);
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(chat.sent).toHaveLength(2);
  });

  // proves configuration-4-10
  it('of a message that does not fit at all makes nothing smaller for the next one', async () => {
    const body = said("This model's maximum context length is 2048 tokens.");
    const scripted = await models.server(failing(400, { body }), ok);
    const model = await models.openOn(scripted, { contextWindow: 64_000 });
    const huge = modelRequest({ messages: [{ role: 'user', text: words(3000) }] });
    await expect(model.run(huge, new CollectedText())).rejects.toThrow(ContextExceeded);
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(sentTo(scripted)).toEqual([2, 8]);
  });

  // proves configuration-4-10
  it('that is no smaller than what was sent is not believed: half is sent', async () => {
    const body = said("This model's maximum context length is 900000 tokens.");
    const scripted = await models.server(...Array.from({ length: 2 }, () => taking(body)));
    const model = await models.openOn(scripted, { contextWindow: 64_000 });
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(scripted.requests).toHaveLength(2);
    expect(warnings()).toEqual([]);
  });
});

describe('the window of a server of one’s own (contract/models.md#the-context-window)', () => {
  const one = (fields: object): object => ({ object: 'list', data: [{ id: 'scripted', object: 'model', ...fields }] });
  const servers: readonly (readonly [string, 'openai' | 'ollama', Readonly<Record<string, object>>])[] = [
    ['vLLM', 'openai', { '/v1/models': one({ owned_by: 'vllm', max_model_len: 2048 }) }],
    [
      'llama.cpp',
      'openai',
      {
        '/v1/models': { data: [{ id: 'file.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 99_000 } }] },
        '/props': { default_generation_settings: { n_ctx: 2048 } },
      },
    ],
    [
      'LM Studio',
      'openai',
      {
        '/v1/models': one({ owned_by: 'organization_owner' }),
        '/api/v0/models/scripted': { max_context_length: 99_000, loaded_context_length: 2048 },
      },
    ],
    [
      'Ollama, which runs it',
      'ollama',
      { '/api/ps': { models: [{ name: 'scripted:latest', model: 'scripted:latest', context_length: 2048 }] } },
    ],
    [
      'Ollama, which has not loaded it',
      'ollama',
      { '/api/ps': { models: [] }, '/api/show': { parameters: 'temperature 0.7\nnum_ctx                 2048' } },
    ],
    [
      'Ollama under OpenAI’s name',
      'openai',
      {
        '/v1/models': one({ owned_by: 'library' }),
        '/api/ps': { models: [{ name: 'scripted', context_length: 2048 }] },
      },
    ],
  ];
  const started = async (told: Readonly<Record<string, object>>): Promise<ScriptedModel> =>
    models.keep(await startScriptedModel({ told, otherwise: ok }));

  // proves configuration-4-12
  it.each(servers)('is asked for, and heeded before anything is refused: %s', async (_title, provider, told) => {
    const scripted = await started(told);
    const model = await models.openOn(scripted, { provider });
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(sentTo(scripted)).toEqual([4]);
    expect(JSON.stringify(models.logged)).not.toContain(secretKey);
  });

  // proves configuration-4-12
  it('is asked for again until the model is loaded', async () => {
    const told: Record<string, object> = { '/api/ps': { models: [] }, '/api/show': {} };
    const scripted = await started(told);
    const model = await models.openOn(scripted, { provider: 'ollama' });
    await model.run(request, new CollectedText());
    told['/api/ps'] = { models: [{ name: 'scripted', context_length: 2048 }] };
    await model.run(request, new CollectedText());
    told['/api/ps'] = { models: [{ name: 'scripted', context_length: 1500 }] };
    await model.run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([8, 4, 4]);
  });

  // proves configuration-4-12
  it('is not asked for where the entry says it', async () => {
    const scripted = await started({ '/v1/models': one({ max_model_len: 2048 }) });
    const model = await models.openOn(scripted, { contextWindow: 64_000 });
    await model.run(request, new CollectedText());
    expect(sentTo(scripted)).toEqual([8]);
  });

  // proves configuration-4-13
  it.each<readonly [string, Readonly<Record<string, object>>]>([
    ['says nothing', {}],
    ['answers with something else', { '/v1/models': [1, 2] }],
  ])('is no fault where the server %s', async (_title, told) => {
    const scripted = await started(told);
    const model = await models.openOn(scripted);
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(sentTo(scripted)).toEqual([8]);
  });

  // proves configuration-4-13
  it('leaves room for the question where the entry keeps more for the answer than fits', async () => {
    const scripted = await started({ '/v1/models': one({ max_model_len: 2048 }) });
    const model = await models.openOn(scripted, { maxOutputTokens: 4096 });
    const short = modelRequest({ messages: [{ role: 'user', text: words(50) }] });
    expect((await model.run(short, new CollectedText())).text).toBe('ok');
  });

  // proves configuration-4-13
  it('holds no Stop back, and no message for long', async () => {
    const silent = models.keep(await startScriptedModel({ isSilent: true, otherwise: ok }));
    const stop = new AbortController();
    const model = await models.openOn(silent);
    const stopped = model.run(modelRequest({ messages: long, signal: stop.signal }), new CollectedText());
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(sentTo(silent)).toEqual([8]);
    expect(models.logged).toContainEqual(
      expect.objectContaining({ message: 'the server of the model has not told its window' }),
    );
  });

  // proves configuration-4-12
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['10.1.2.3', true],
    ['172.20.0.4', true],
    ['192.168.1.9', true],
    ['vllm', true],
    ['host.docker.internal', true],
    ['models.lan', true],
    ['172.40.0.4', false],
    ['10.example.com', false],
    ['api.openai.com', false],
    ['8.8.8.8', false],
    ['[2001:db8::1]', false],
    ['', false],
  ])('is that of a host that is one’s own: %s', (host, isOwn) => {
    expect(isOwnHost(host)).toBe(isOwn);
  });
});
