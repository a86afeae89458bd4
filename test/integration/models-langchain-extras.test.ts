import type { AIMessageChunkFields } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { modelBounds, OpenedModels } from '../support/opened-models.ts';
import { PackageChat, type PackageScript } from '../support/package-chat.ts';
import { completed, created, responseEvents, textDelta } from '../support/responses-model.ts';
import { failing, type ModelScript, type ScriptedModel } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';
import { secretThought } from '../support/thinking-providers.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
const toolList = ['get_order', 'get_price'].map((name) => fakeTool({ name, readOnly: true }));

/** Asks a model in one turn with two tools. */
async function ask(model: ChatModel) {
  const { url } = await testHttp({ model, toolList });
  const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is it?' } });
  const { data: end } = await stream.next('end');
  await stream.closed;
  return { end, frames: JSON.stringify(stream.frames) };
}

async function askPackage(...scripts: readonly PackageScript[]) {
  const chat = new PackageChat(...scripts);
  const model = await models.open({ main: { ...settings, plugin: 'mine' } }, { mine: chat });
  const { end, frames } = await ask(model);
  return { end, frames, replies: chat.sent.map((messages) => messages.filter((one) => one.type === 'ai')) };
}

/** A chunk with what stands beside its content, where packages put it. */
const beside = (fields: Readonly<Record<string, unknown>>): AIMessageChunkFields => {
  const chunk: AIMessageChunkFields = { content: [] };
  return Object.assign(chunk, { additional_kwargs: fields });
};
/** A piece of a block of Claude's, as its package streams it. */
const block = (
  index: number,
  fields: { readonly type: string; readonly [name: string]: unknown },
): AIMessageChunkFields => ({
  content: [{ index, ...fields }],
});
/** A call of Claude's. Its arguments come in pieces. */
const call = (index: number, name: string): readonly AIMessageChunkFields[] => [
  {
    ...block(index, { type: 'tool_use', id: `toolu_${String(index)}`, name, input: '' }),
    tool_call_chunks: [{ type: 'tool_call_chunk', index, id: `toolu_${String(index)}`, name, args: '' }],
  },
  {
    ...block(index, { type: 'input_json_delta', input: '{"id":1}' }),
    tool_call_chunks: [{ type: 'tool_call_chunk', index, args: '{"id":1}' }],
  },
];
const end = (reason: string): AIMessageChunkFields => beside({ stop_reason: reason });

describe('what Claude needs back over its package (contract/models.md#what-comes-back)', () => {
  const thinking = [
    block(0, { type: 'thinking', thinking: '', signature: '' }),
    block(0, { type: 'thinking', thinking: secretThought }),
    block(0, { type: 'thinking', thinking: ' More.' }),
    block(0, { type: 'thinking', signature: 'sig-1' }),
    block(1, { type: 'redacted_thinking', data: 'hidden' }),
  ];
  const signed = { type: 'thinking', thinking: `${secretThought} More.`, signature: 'sig-1' };
  const redacted = { type: 'redacted_thinking', data: 'hidden' };

  // proves service-3-41, service-3-43
  it('is its thoughts with their signatures, before the text and the calls', async () => {
    const text = block(2, { type: 'text', text: 'Let me look.' });
    const script = [...thinking, text, ...call(3, 'get_order'), end('tool_use')];
    const { end: ended, frames, replies } = await askPackage(script, [{ content: 'It is sent.' }, end('end_turn')]);
    expect(ended).toMatchObject({ status: 'completed', text: 'Let me look.\n\nIt is sent.' });
    expect(frames).not.toContain(secretThought);
    const [reply] = replies[1] ?? [];
    expect(reply?.content).toMatchObject([signed, redacted, { type: 'text', text: 'Let me look.' }]);
    expect(reply).toMatchObject({ tool_calls: [{ name: 'get_order', args: { id: 1 } }] });
  });

  // proves service-3-41
  it('stands where it stood, also between calls', async () => {
    const between = [
      block(3, { type: 'thinking', thinking: 'And now?' }),
      block(3, { type: 'thinking', signature: 'sig-2' }),
    ];
    const script = [...thinking, ...call(2, 'get_order'), ...between, ...call(4, 'get_price'), end('tool_use')];
    const { replies } = await askPackage(script, [{ content: 'It is sent.' }]);
    const [reply] = replies[1] ?? [];
    const ids = (reply as unknown as { tool_calls: readonly { id: string }[] }).tool_calls.map(({ id }) => id); // a reply with calls
    expect(reply?.content).toMatchObject([
      signed,
      redacted,
      { type: 'tool_use', id: ids[0], name: 'get_order', input: { id: 1 } },
      { type: 'thinking', thinking: 'And now?', signature: 'sig-2' },
    ]);
    expect(ids).toHaveLength(2);
  });

  // proves service-3-41
  it('has no thought that is not signed', async () => {
    const unsigned = [
      block(0, { type: 'thinking', thinking: secretThought }),
      ...call(1, 'get_order'),
      end('tool_use'),
    ];
    const { replies } = await askPackage(unsigned, [{ content: 'It is sent.' }]);
    expect(replies[1]?.[0]?.content).toBe('');
  });

  // proves service-3-45
  it('is left out once where it is refused', async () => {
    const refused = Object.assign(new Error('messages.1.content.0: Invalid `signature` in `thinking` block'), {
      status: 400,
    });
    const script = [...thinking, ...call(2, 'get_order'), end('tool_use')];
    const { end: ended, replies } = await askPackage(script, refused, [{ content: 'It is sent.' }]);
    expect(ended).toMatchObject({ status: 'completed', text: 'It is sent.' });
    expect(replies.map((messages) => messages[0]?.content)).toMatchObject([undefined, [signed, redacted], '']);
  });

  // proves service-3-44
  it.each([
    ['in size', Array.from({ length: 20 }, () => block(0, { type: 'thinking', thinking: 'x'.repeat(60_000) }))],
    ['in number', Array.from({ length: 1_500 }, (_, index) => block(index, { type: 'redacted_thinking', data: 'x' }))],
  ])('is dropped where it is too large %s', async (_title, thoughts) => {
    const script = [...thoughts, block(9_999, { type: 'thinking', signature: 'sig' }), ...call(10_000, 'get_order')];
    const { end: ended, replies } = await askPackage([...script, end('tool_use')], [{ content: 'It is sent.' }]);
    expect(ended).toMatchObject({ status: 'completed' });
    expect(replies[1]?.[0]?.content).toBe('');
    expect(models.logged).toContainEqual(
      expect.objectContaining({ message: 'thoughts of a model are too large to be kept' }),
    );
  });
});

describe('what Gemini needs back over its package (contract/models.md#what-comes-back)', () => {
  // proves service-3-41
  it('is the signature of each call', async () => {
    const key = '__gemini_function_call_thought_signatures__';
    const calls = ['get_order', 'get_price'].map((name, index) => ({
      type: 'tool_call_chunk' as const,
      id: `g${String(index)}`,
      name,
      args: '{}',
    }));
    const script = [{ ...beside({ [key]: { g1: 'sig-of-price' } }), tool_call_chunks: calls }];
    const { replies } = await askPackage(script, [{ content: 'It is sent.' }]);
    const reply = replies[1]?.[0] as unknown as { tool_calls: readonly { id: string }[]; additional_kwargs: object }; // a reply with calls
    expect(reply.additional_kwargs).toEqual({ [key]: { [reply.tool_calls[1]?.id ?? '']: 'sig-of-price' } });
  });
});

describe('what other packages need back (contract/models.md#what-comes-back)', () => {
  const one = { type: 'tool_call_chunk', index: 3, id: 't1', name: 'get_order', args: '{}' };

  // proves service-3-41
  it("is Claude's thoughts in the form of Amazon, before all calls", async () => {
    const script = [
      block(0, { type: 'reasoning', reasoning: secretThought }),
      block(0, { type: 'reasoning', reasoning: ' More.' }),
      block(0, { type: 'reasoning', reasoning: '', signature: 'sig-1' }),
      { content: [{ type: 'reasoning_content', redactedContent: 'aGlkZGVu' }] },
      { content: '', tool_call_chunks: [one] },
      block(4, { type: 'reasoning', reasoning: 'Again.' }),
      block(4, { type: 'reasoning', reasoning: '', signature: 'sig-2' }),
      { content: '', response_metadata: { messageStop: { stopReason: 'tool_use' } } },
    ];
    const { replies, frames } = await askPackage(script, [{ content: 'It is sent.' }]);
    expect(replies[1]?.[0]?.content).toMatchObject([
      { type: 'reasoning', reasoning: `${secretThought} More.`, signature: 'sig-1' },
      { type: 'reasoning_content', redactedContent: 'aGlkZGVu' },
      { type: 'reasoning', reasoning: 'Again.', signature: 'sig-2' },
    ]);
    expect(frames).not.toContain(secretThought);
  });

  // proves service-3-41
  it.each([
    ['with a text', [{ ...beside({ signatures: [''] }), content: 'Let me look.' }], ['', 'sig-1', '']],
    ['without one', [], ['sig-1', '']],
  ])('is the list of signatures of Vertex, %s', async (_title, said, signatures) => {
    const two = { ...one, index: 4, id: 't2', name: 'get_price' };
    const calls = [
      { ...beside({ signatures: ['sig-1'] }), tool_call_chunks: [one] },
      { ...beside({ signatures: [''] }), tool_call_chunks: [two] },
    ];
    const { replies } = await askPackage([...said, ...calls], [{ content: 'It is sent.' }]);
    expect(Reflect.get(replies[1]?.[0] ?? {}, 'additional_kwargs')).toEqual({ signatures });
  });
});

describe('what the Responses API needs back (contract/models.md#what-comes-back)', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed-thought' };
  const called = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_order', arguments: '{"id":1}' };
  const thinking = (output: readonly object[], response: object = {}): ModelScript => {
    const last = completed('r1', output);
    return responseEvents(
      created('r1'),
      { type: 'response.output_item.added', output_index: 1, item: { ...called, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: called.arguments },
      { ...last, response: { ...(last['response'] as object), ...response } },
    );
  };
  const answer = responseEvents(created('r2'), textDelta('It is sent.'), completed('r2'));

  async function askOn(...scripts: readonly ModelScript[]) {
    const scripted: ScriptedModel = await models.server(...scripts);
    const main = {
      ...settings,
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      apiKey: 'k',
      baseUrl: scripted.url,
    } as const;
    const { end: ended } = await ask(await models.open({ main }));
    expect(ended).toMatchObject({ status: 'completed', text: 'It is sent.' });
    return scripted.requests.map(({ body }) => body['input'] as readonly Readonly<Record<string, unknown>>[]); // sent by the package
  }

  // proves service-3-41
  it('is its reasoning before the call, with the ids of the provider', async () => {
    const [, input = []] = await askOn(thinking([reasoning, called]), answer);
    expect(input.slice(-3)).toMatchObject([reasoning, called, { type: 'function_call_output', call_id: 'call_1' }]);
  });

  // proves service-3-41
  it('has no figures for each token', async () => {
    const text = { type: 'output_text', text: 'Let me look.', annotations: [], logprobs: [{ token: 'Let' }] };
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [text] };
    const said = textDelta('Let me look.');
    const last = completed('r1', [reasoning, message, called]);
    const calls = [
      { type: 'response.output_item.added', output_index: 1, item: { ...called, arguments: '' } },
      { type: 'response.output_item.done', output_index: 1, item: called },
    ];
    const scripted = await models.server(responseEvents(created('r1'), said, ...calls, last), answer);
    const main = { ...settings, provider: 'openai', api: 'responses', model: 'gpt', baseUrl: scripted.url } as const;
    await ask(await models.open({ main }));
    const sent = JSON.stringify((await scripted.request(1)).body['input']);
    expect(sent).toContain('"id":"msg_1"');
    expect(sent).not.toContain('logprobs');
  });

  // proves service-3-41
  it.each([
    ['neither keeps it nor gives it whole', [{ type: 'reasoning', id: 'rs_1', summary: [] }, called], { store: false }],
    ['has tools of its own among it', [reasoning, { type: 'web_search_call', id: 'ws_1' }, called], {}],
  ])('is nothing where the provider %s', async (_title, output, response) => {
    const [, input = []] = await askOn(thinking(output, response), answer);
    const types = input.map(({ type }) => type);
    expect(types).not.toContain('reasoning');
    expect(types.slice(-2)).toEqual(['function_call', 'function_call_output']);
  });

  // proves service-3-45
  it('is left out once where it is refused', async () => {
    const message = "Item 'rs_1' of type 'reasoning' was provided without its required following item.";
    const refused = failing(400, { body: { error: { message, type: 'invalid_request_error', param: 'input' } } });
    const inputs = await askOn(thinking([reasoning, called]), refused, answer);
    expect(inputs.map((input) => input.some(({ type }) => type === 'reasoning'))).toEqual([false, true, false]);
  });
});
