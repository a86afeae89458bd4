import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import type { ChatModel, ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels, secretKey } from '../support/opened-models.ts';
import {
  calling,
  failing,
  type ModelExchange,
  type ModelScript,
  saying,
  type ScriptedModel,
} from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

function tool(name: string, parameters: object = {}): ToolDeclaration {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties: {}, ...parameters } };
}

function several(count: number): readonly ToolDeclaration[] {
  return Array.from({ length: count }, (_, index) => tool(`tool_${String(index)}`));
}

function sentNames({ request }: Pick<ModelExchange, 'request'>): readonly string[] {
  const tools = (request.body['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[]; // the wire form
  return tools.map(({ function: { name } }) => name);
}

/** A provider that refuses some requests for their tools. */
function provider(refusal: (names: readonly string[]) => object | undefined): Promise<ScriptedModel> {
  const script: ModelScript = (exchange) => {
    const body = refusal(sentNames(exchange));
    return (body === undefined ? saying('Here you are.') : failing(400, { body }))(exchange);
  };
  return models.server(...Array.from({ length: 60 }, () => script));
}

const wires: readonly (readonly [string, (scripted: ScriptedModel) => Promise<ChatModel>])[] = [
  ['the OpenAI wire', (scripted) => models.openOn(scripted)],
  [
    'a LangChain package',
    (scripted) =>
      models.open({
        main: modelSettings({
          provider: '@langchain/openai',
          class: 'ChatOpenAI',
          options: { model: 'scripted', apiKey: secretKey, configuration: { baseURL: scripted.url } },
        }),
      }),
  ],
];

const invalid = { type: 'invalid_request_error', code: 'invalid_function_parameters' };

/** Refusals of the tool `bad` as providers word them, by its place among those that were sent. */
const refusals: readonly (readonly [string, (place: number) => object])[] = [
  [
    'its place as the param',
    (place) => ({
      error: { ...invalid, message: 'The schema is not taken.', param: `tools[${String(place)}].function.parameters` },
    }),
  ],
  [
    'its place in the words',
    (place) => ({
      error: {
        type: 'invalid_request_error',
        message: `tools.${String(place)}.custom.input_schema: this is no schema`,
      },
    }),
  ],
  [
    'its name in the words',
    () => ({
      error: {
        type: 'invalid_request_error',
        message: "The schema of function 'bad' is not valid: something is missing.",
      },
    }),
  ],
  [
    'its place, and what is not supported',
    (place) => ({
      error: { message: `tools.${String(place)}.custom.input_schema: input_schema does not support anyOf` },
    }),
  ],
  [
    'its place in the list of what is missing',
    (place) => ({
      detail: [{ type: 'missing', loc: ['body', 'tools', place, 'function', 'parameters'] }],
    }),
  ],
  [
    'its name before those of properties',
    () => ({ error: { message: "Invalid schema for function 'bad': In context=('properties', 'last'), no items" } }),
  ],
  [
    'its place among declarations',
    (place) => [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: `* GenerateContentRequest.tools[0].function_declarations[${String(place)}].parameters.properties[a].items: missing field.\n`,
        },
      },
    ],
  ],
];

describe.each(wires)('a tool that a provider refuses, over %s (contract/models.md#tools)', (_wire, open) => {
  // proves service-11-42
  it.each(refusals)(
    'is left out of this request and the next ones where the refusal has %s',
    async (_form, refusal) => {
      const scripted = await provider((names) => (names.includes('bad') ? refusal(names.indexOf('bad')) : undefined));
      const model = await open(scripted);
      const tools = [...several(3), tool('bad'), tool('last')];
      const sink = new CollectedText();
      expect((await model.run(modelRequest({ tools }), sink)).text).toBe('Here you are.');
      expect(sink.unescaped).toBe('Here you are.');
      await model.run(modelRequest({ tools }), new CollectedText());
      const good = ['tool_0', 'tool_1', 'tool_2', 'last'];
      expect(scripted.requests.map((request) => sentNames({ request }))).toEqual([
        tools.map(({ name }) => name),
        good,
        good,
      ]);
    },
  );

  // proves service-11-43
  it('is found by halving where the refusal names none, once, and without a word to the user', async () => {
    const message = 'one of the tools has an invalid schema';
    const scripted = await provider((names) => (names.includes('tool_13') ? { error: { message } } : undefined));
    const model = await open(scripted);
    const tools = several(40);
    const sink = new CollectedText();
    await model.run(modelRequest({ tools }), sink);
    expect(sink.unescaped).toBe('Here you are.');
    expect(scripted.requests.length).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(40)) + 1);
    const before = scripted.requests.length;
    await model.run(modelRequest({ tools }), new CollectedText());
    expect(scripted.requests.slice(before).map((request) => sentNames({ request }))).toEqual([
      tools.map(({ name }) => name).filter((name) => name !== 'tool_13'),
    ]);
  });
});

describe('a provider that refuses tools (contract/models.md#tools)', () => {
  // proves service-11-42
  it('names several at once, which are all left out', async () => {
    const line = (place: number): string =>
      `* GenerateContentRequest.tools[0].function_declarations[${String(place)}].parameters.properties[x].items: missing field.`;
    const scripted = await provider((names) => {
      const places = names.flatMap((name, place) => (name.startsWith('bad') ? [place] : []));
      return places.length === 0 ? undefined : { error: { message: places.map(line).join('\n') } };
    });
    await (
      await models.openOn(scripted)
    ).run(modelRequest({ tools: [tool('bad_1'), tool('good'), tool('bad_2')] }), new CollectedText());
    expect(scripted.requests.map((request) => sentNames({ request }))).toEqual([['bad_1', 'good', 'bad_2'], ['good']]);
  });

  // proves service-11-42
  it('is sent the tool again once it is declared otherwise', async () => {
    const scripted = await provider((names) =>
      names.includes('bad')
        ? { error: { ...invalid, message: 'no', param: 'tools[0].function.parameters' } }
        : undefined,
    );
    const model = await models.openOn(scripted);
    await model.run(modelRequest({ tools: [tool('bad'), tool('good')] }), new CollectedText());
    await model.run(modelRequest({ tools: [tool('bad'), tool('good')] }), new CollectedText());
    await model.run(
      modelRequest({ tools: [tool('bad', { properties: { a: { type: 'string' } } }), tool('good')] }),
      new CollectedText(),
    );
    expect(scripted.requests.map((request) => sentNames({ request })[0])).toEqual([
      'bad',
      'good',
      'good',
      'bad',
      'good',
    ]);
  });

  // proves service-11-43
  it('is searched once for turns that are refused at the same time', async () => {
    const message = 'one of the tools has an invalid schema';
    const scripted = await provider((names) => (names.includes('tool_3') ? { error: { message } } : undefined));
    const model = await models.openOn(scripted);
    const tools = several(16);
    await Promise.all(Array.from({ length: 5 }, () => model.run(modelRequest({ tools }), new CollectedText())));
    const halves = scripted.requests.filter((request) => sentNames({ request }).length < 15);
    expect(halves.length).toBeLessThanOrEqual(4);
  });

  // proves service-11-43
  it('keeps all tools where it refuses whatever it is sent, and is not searched again', async () => {
    const scripted = await provider((names) =>
      names.length === 0 ? undefined : { error: { message: 'a schema of the tools is invalid' } },
    );
    const model = await models.openOn(scripted);
    const request = modelRequest({ tools: several(16) });
    await expect(model.run(request, new CollectedText())).rejects.toThrow(/answered 400/);
    const before = scripted.requests.length;
    expect(before).toBeLessThan(30);
    await expect(model.run(request, new CollectedText())).rejects.toThrow(/answered 400/);
    expect(scripted.requests.slice(before).map((one) => sentNames({ request: one }).length)).toEqual([16]);
  });

  // proves service-11-42
  it('is not asked for ever when it names another tool each time', async () => {
    const scripted = await provider(() => ({
      error: { ...invalid, message: 'no', param: 'tools[0].function.parameters' },
    }));
    const model = await models.openOn(scripted);
    await expect(model.run(modelRequest({ tools: several(50) }), new CollectedText())).rejects.toThrow(/answered 400/);
    expect(scripted.requests.length).toBeLessThan(20);
  });

  // proves service-11-42
  it('is not asked again where it does not know tools', async () => {
    const scripted = await provider(() => ({
      error: { message: 'no', param: 'tools', code: 'unsupported_parameter' },
    }));
    const model = await models.openOn(scripted);
    await expect(model.run(modelRequest({ tools: several(8) }), new CollectedText())).rejects.toThrow(/answered 400/);
    expect(scripted.requests).toHaveLength(1);
  });

  // proves service-11-42
  it.each([
    ['this model does not support tools', undefined],
    ['tool choice is not enabled: start with --enable-auto-tool-choice', undefined],
    ["messages with the role 'tool' must follow tool_calls; the schema says so", undefined],
    ['messages.3.content.0: unexpected tool_use_id, see the schema of tools', undefined],
    ['tool call validation failed: the parameters of tool good do not match its schema', 'tool_use_failed'],
    ['the prompt is too long', 'context_length_exceeded'],
    ['the maximum is 8192 tokens, and the tools and messages have more: shorten the schema', undefined],
  ])('is not asked again with other tools for something else: %s', async (message, code) => {
    const scripted = await provider(() => ({ error: { message, ...(code === undefined ? {} : { code }) } }));
    const model = await models.openOn(scripted);
    await expect(
      model.run(modelRequest({ tools: [tool('good'), tool('tool')] }), new CollectedText()),
    ).rejects.toThrow();
    // A slip of the model is another matter: it is asked again with what it had.
    expect(scripted.requests).toHaveLength(code === 'tool_use_failed' ? 3 : 1);
    for (const request of scripted.requests) expect(sentNames({ request })).toEqual(['good', 'tool']);
  });

  // proves service-11-42
  it('is not read in what a gateway repeats of the request', async () => {
    const input = [{ role: 'user', content: 'The tools: at most 1, see the schema of good.' }];
    const scripted = await provider(() => ({
      detail: [{ type: 'value_error', loc: ['body'], message: 'The request is not valid', input }],
    }));
    const model = await models.openOn(scripted);
    const request = modelRequest({ tools: [tool('good'), tool('tool')] });
    await expect(model.run(request, new CollectedText())).rejects.toThrow();
    expect(scripted.requests).toHaveLength(1);
  });

  // proves service-11-65
  it.each(["the schema of the tools 'good' and 'tool'", 'too many tools: the maximum is 1'])(
    'takes no tool from others because it repeats what a user has written: %s',
    async (text) => {
      const script: ModelScript = (exchange) =>
        JSON.stringify(exchange.request.body).includes(text)
          ? failing(400, { body: { error: { message: `The prompt is not valid: ${text}` } } })(exchange)
          : saying('OK')(exchange);
      const scripted = await models.server(...Array.from({ length: 60 }, () => script));
      const model = await models.openOn(scripted);
      const tools = [tool('good'), tool('tool'), tool('other')];
      const messages = [{ role: 'user', text }] as const;
      await expect(model.run(modelRequest({ tools, messages }), new CollectedText())).rejects.toThrow(/answered 400/);
      await model.run(modelRequest({ tools }), new CollectedText());
      const after = scripted.requests.slice(-1).map((request) => sentNames({ request }));
      expect(after).toEqual([['good', 'tool', 'other']]);
    },
  );

  // proves service-11-44
  it.each([
    ["'tools': the list is too long. The maximum length is 32, but there were 50.", 32],
    ['there are too many tools', 25],
  ])('that takes fewer of them is sent as many as it takes: %s', async (message, taken) => {
    const scripted = await provider((names) =>
      names.length > 32 ? { error: { message, param: 'tools', code: 'array_above_max_length' } } : undefined,
    );
    const model = await models.openOn(scripted);
    for (let times = 0; times < 2; times += 1)
      await model.run(modelRequest({ tools: several(50) }), new CollectedText());
    expect(scripted.requests.map((request) => sentNames({ request }).length)).toEqual([50, taken, taken]);
    expect(models.logged).toContainEqual(expect.objectContaining({ tools: 50, sent: taken }));
  });

  // proves service-11-44
  it('that takes only short descriptions is sent short ones, by requests that are refused side by side too', async () => {
    const script: ModelScript = async (exchange) => {
      // Both are under way before the first one is refused.
      await scripted.request(1);
      if ((lengthIn(exchange.request) ?? 0) <= 1024) return saying('Here you are.')(exchange);
      const param = 'tools[0].function.description';
      return failing(400, {
        body: { error: { message: 'too long: the maximum is 1024', param, code: 'string_above_max_length' } },
      })(exchange);
    };
    const scripted = await models.server(script, script, script, script);
    const model = await models.openOn(scripted);
    const long = { ...tool('long'), description: 'x'.repeat(3_000) };
    const asked = () => model.run(modelRequest({ tools: [long] }), new CollectedText());
    await Promise.all([asked(), asked()]);
    expect(scripted.requests.map(lengthIn)).toEqual([3_000, 3_000, 1024, 1024]);
  });
});

/** How long the description of the first tool of a request is. */
function lengthIn({ body }: ModelExchange['request']): number | undefined {
  const [sent] = (body['tools'] ?? []) as readonly { readonly function: { readonly description: string } }[]; // the wire form
  return sent?.function.description.length;
}

describe('names of arguments (contract/models.md#tools)', () => {
  // proves service-11-41
  it.each(wires)(
    'are those that the provider takes in the whole conversation, and the declared ones here, over %s',
    async (_wire, open) => {
      const find = tool('find', { properties: { $top: { type: 'integer' }, 'filter[status]': { type: 'string' } } });
      const scripted = await models.server(
        calling({ name: 'find', arguments: { top: 5, filter_status: 'open' } }),
        saying('Found.'),
      );
      const model = await open(scripted);
      const tools = [find];
      const { toolCalls } = await model.run(modelRequest({ tools }), new CollectedText());
      expect(toolCalls).toMatchObject([{ name: 'find', arguments: '{"$top":5,"filter[status]":"open"}' }]);
      const messages = [
        { role: 'user', text: 'Find.' },
        { role: 'assistant', text: '', toolCalls },
        { role: 'tool', callId: toolCalls[0]?.id ?? '', name: 'find', text: 'found' },
      ] as const;
      await model.run(modelRequest({ tools, messages }), new CollectedText());
      const [first, second] = scripted.requests.map(({ body }) => body);
      expect(first?.['tools']).toMatchObject([
        { function: { parameters: { properties: { top: {}, filter_status: {} } } } },
      ]);
      expect(JSON.stringify(second?.['messages'])).toContain(JSON.stringify('{"top":5,"filter_status":"open"}'));
    },
  );

  it('that all providers take change nothing: the list of tools is sent as it is', async () => {
    const settings: Partial<ModelSettings> = {};
    const scripted = await models.server(saying('OK'));
    const find = tool('find', {
      properties: { top: { type: 'integer' } },
      required: ['top'],
      additionalProperties: false,
    });
    await (await models.openOn(scripted, settings)).run(modelRequest({ tools: [find] }), new CollectedText());
    expect((await scripted.request(0)).body['tools']).toEqual([{ type: 'function', function: find }]);
  });
});
