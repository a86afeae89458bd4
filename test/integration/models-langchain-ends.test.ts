import type { AIMessageChunkFields } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import { ReplyMemory } from '../../src/adapters/models/reply-limits.ts';
import type { ChatModel, ModelReply } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, modelSettings, OpenedModels } from '../support/opened-models.ts';
import { PackageChat } from '../support/package-chat.ts';
import {
  completed,
  created,
  item,
  replyWith,
  responseEvents,
  textDelta,
  approvalRequest,
} from '../support/responses-model.ts';
import { chunk, ending, type ModelScript, saying, sending } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
const tools = [{ name: 'get_order', description: 'Returns an order.', parameters: { type: 'object' } }];

const openPackage = (chat: PackageChat): Promise<ChatModel> =>
  models.open({ main: { ...settings, plugin: 'mine' } }, { mine: chat });

/** The reply of a package that streams these chunks. The bytes are what it has fetched before. */
async function replied(chunks: readonly object[], bytes?: string): Promise<ModelReply> {
  const fetches = bytes === undefined ? undefined : (await models.server(sending(bytes))).url;
  const model = await openPackage(new PackageChat(chunks).fetching(fetches));
  return model.run(modelRequest({ tools }), new CollectedText());
}

const chunkWith = (further: object, fields: AIMessageChunkFields = { content: [] }): AIMessageChunkFields =>
  Object.assign({ ...fields }, { additional_kwargs: further });
const claudeEnd = (reason: string, more: object = {}): AIMessageChunkFields =>
  chunkWith({ stop_reason: reason, stop_sequence: null, ...more });
const words: AIMessageChunkFields = { content: [{ index: 0, type: 'text', text: 'Half of an' }] };
const call: AIMessageChunkFields = {
  content: [],
  tool_call_chunks: [{ type: 'tool_call_chunk', index: 1, id: 'a', name: 'get_order', args: '{"id":1}' }],
};

describe("a provider's own word for the end over LangChain (contract/models.md)", () => {
  // proves configuration-3-90
  it.each([
    ['Claude has said nothing', [], 'refusal'],
    ['Claude has begun', [words], 'refusal'],
  ])('is a refusal: %s', async (_title, chunks, reason) => {
    const details = { stop_details: { type: 'refusal', explanation: 'It is about weapons.' } };
    await expect(replied([...chunks, claudeEnd(reason, details)])).rejects.toMatchObject({
      code: 'model_refused',
      transient: false,
      words: 'It is about weapons.',
    });
  });

  // proves configuration-3-91, wire-10-04
  it.each(['max_tokens', 'model_context_window_exceeded'])('cuts the reply and drops the call: %s', async (reason) => {
    expect(await replied([words, call, claudeEnd(reason)])).toMatchObject({ finish: 'length', toolCalls: [] });
  });

  it.each(['tool_use', 'end_turn'])('leaves the call: %s', async (reason) => {
    expect(await replied([words, call, claudeEnd(reason)])).toMatchObject({ toolCalls: [{ name: 'get_order' }] });
  });

  // proves configuration-3-90
  it.each([
    ['a reason without content', { candidates: [{ finishReason: 'SAFETY', index: 0 }] }, 'model_refused'],
    ['a message that is blocked', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'model_refused'],
    ['a reply that is given up', { candidates: [{ finishReason: 'CANCELLED' }] }, 'model_unavailable'],
  ])('is known where the package keeps it to itself: %s', async (_title, event, code) => {
    await expect(replied([], `data: ${JSON.stringify(event)}\r\n\r\n`)).rejects.toMatchObject({ code });
  });
});

describe('an end that a package of its own tells (contract/models.md)', () => {
  // proves configuration-3-90
  it('is read where Amazon puts it', async () => {
    const stopped = { content: '', response_metadata: { messageStop: { stopReason: 'guardrail_intervened' } } };
    await expect(replied([words, stopped])).rejects.toMatchObject({ code: 'model_refused' });
  });

  // proves configuration-3-90
  it.each(['SAFETY', 'RECITATION'])('is known where the package throws for it: %s', async (finishReason) => {
    const event = `data: ${JSON.stringify({ candidates: [{ finishReason }] })}\n\n`;
    const { url } = await models.server(sending(event));
    const chat = new PackageChat().fetching(url).failing(new Error(`Finish reason: ${finishReason}`));
    const refused = { code: 'model_refused', transient: false };
    await expect((await openPackage(chat)).run(modelRequest(), new CollectedText())).rejects.toMatchObject(refused);
  });
});

describe('the tokens of a reply (contract/models.md)', () => {
  const usage = (input: number, output: number, total = input + output) => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
  });

  // proves service-3-51
  it('are those in the bytes, where the package counts others', async () => {
    const bytes = [
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 20, output_tokens: 8 } } },
      { type: 'message_delta', delta: {}, usage: { input_tokens: 900, output_tokens: 60 } },
    ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const counted = [
      { ...words, usage_metadata: usage(20, 8) },
      { ...claudeEnd('end_turn'), usage_metadata: usage(0, 60) },
    ];
    const { usage: read } = await replied(counted, bytes.join(''));
    expect(read).toEqual({ inputTokens: 900, outputTokens: 60 });
  });

  // proves service-3-51
  it("are Claude's whole output, and Gemini's thoughts, where the bytes are not seen", async () => {
    const claude = [
      { ...words, usage_metadata: usage(20, 8) },
      { ...claudeEnd('end_turn'), usage_metadata: usage(0, 60) },
    ];
    expect((await replied(claude)).usage).toEqual({ inputTokens: 20, outputTokens: 60 });
    const gemini = [
      { content: 'Hi', usage_metadata: usage(29, 10, 843) },
      { content: '!', usage_metadata: usage(0, 5) },
    ];
    expect((await replied(gemini)).usage).toEqual({ inputTokens: 29, outputTokens: 819 });
  });

  // proves service-3-51
  it.each([
    ['thoughts beside the output', { prompt_tokens: 12, completion_tokens: 1, total_tokens: 303 }, [12, 291]],
    ['thoughts among the output', { prompt_tokens: 12, completion_tokens: 30, total_tokens: 42 }, [12, 30]],
    ['no sum', { prompt_tokens: 12, completion_tokens: 30 }, [12, 30]],
  ])('over the chat wire have %s', async (_title, counts, [inputTokens, outputTokens]) => {
    const scripted = await models.server(sending(chunk({ content: 'Hi' }), ending('stop', counts)));
    const { usage: read } = await (await models.openOn(scripted)).run(modelRequest(), new CollectedText());
    expect(read).toEqual({ inputTokens, outputTokens });
  });

  // proves service-3-51
  it('are read where they stand in a member of their own', async () => {
    const last = {
      choices: [],
      x_groq: { id: 'r', usage: { prompt_tokens: 12, completion_tokens: 26, total_tokens: 38 } },
    };
    const bytes = `${chunk({ content: 'Hi' })}${chunk({}, { finish: 'stop' })}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`;
    const model = await models.openOn(await models.server(sending(bytes)));
    expect((await model.run(modelRequest(), new CollectedText())).usage).toEqual({ inputTokens: 12, outputTokens: 26 });
  });

  // proves configuration-3-94
  it('and the text of a document are those of its message, also where an empty piece stands beside it', async () => {
    const choice = { index: 0, message: { content: 'Hi' }, delta: { content: '' }, finish_reason: 'stop' };
    const counts = { prompt_tokens: 1, completion_tokens: 2 };
    const model = await models.openOn(
      await models.server(sending(JSON.stringify({ choices: [choice], usage: counts }))),
    );
    expect(await model.run(modelRequest(), new CollectedText())).toMatchObject({
      text: 'Hi',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });
});

describe('arguments that come in a form of their own (contract/models.md)', () => {
  let ids = 0;
  const part = (functionCall: object, name?: string): AIMessageChunkFields => ({
    content: [{ type: 'functionCall', functionCall: { name, ...functionCall } }],
    tool_call_chunks: [
      { type: 'tool_call_chunk', id: `g${String((ids += 1))}`, ...(name === undefined ? {} : { name }) },
    ],
  });

  // proves service-3-52
  it('are read value by value, over many pieces and for several calls', async () => {
    const value = (jsonPath: string, stringValue: string, willContinue = true): AIMessageChunkFields =>
      part({ partialArgs: [{ jsonPath, stringValue, willContinue }], willContinue: true });
    const letters = Array.from({ length: 200 }, () => value('$.note', 'x'));
    const { toolCalls } = await replied([
      part({ willContinue: true }, 'get_order'),
      ...letters,
      value('$.note', '', false),
      part({}),
      part({ willContinue: true }, 'get_order'),
      value('$.id', 'B', false),
      part({}),
    ]);
    expect(toolCalls.map(({ arguments: written }) => JSON.parse(written) as unknown)).toEqual([
      { note: 'x'.repeat(200) },
      { id: 'B' },
    ]);
  });

  // proves configuration-3-03
  it('are no more than there is memory for', async () => {
    const whole = { type: 'function_call', call_id: 'c1', name: 'get_order', arguments: 'x'.repeat(20_000) };
    const event = `data: ${JSON.stringify({ type: 'response.output_item.done', item: whole })}\n\n`;
    models.memory = new ReplyMemory(10_000);
    await expect(replied([words], event)).rejects.toMatchObject({ code: 'model_unavailable', transient: false });
  });

  const openResponses = async (...scripts: readonly ModelScript[]): Promise<ChatModel> => {
    const { url } = await models.server(...scripts);
    return models.open({ main: modelSettings({ api: 'responses', baseUrl: url }) });
  };

  // proves service-3-52
  it('are read when they come whole, and a call of nothing stays one', async () => {
    const called = { id: 'fc', type: 'function_call', call_id: 'c1', name: 'get_order', arguments: '' };
    const whole = item(called, { ...called, arguments: '{"id":5}' });
    const empty = item({ ...called, id: 'fd', call_id: 'c2' });
    const model = await openResponses(responseEvents(created('r'), ...whole, ...empty, completed('r')));
    const { toolCalls } = await model.run(modelRequest({ tools }), new CollectedText());
    expect(toolCalls.map(({ id, arguments: written }) => [id, written])).toEqual([
      ['c1', '{"id":5}'],
      ['c2', ''],
    ]);
  });

  // proves service-3-53
  it.each([
    ['with names for their phases', { phase: 'commentary' }, { phase: 'final_answer' }],
    ['without names', {}, {}],
  ])('and several messages have a break between them, %s', async (_title, first, second) => {
    const message = (id: string, text: string, more: object) => {
      const added = { id, type: 'message', role: 'assistant', content: [], ...more };
      const [begins = {}, ends = {}] = item(added, { ...added, content: [{ type: 'output_text', text }] });
      return [begins, textDelta(text), ends];
    };
    const events = [...message('m1', 'Let me look.', first), ...message('m2', 'It is sent.', second)];
    const model = await openResponses(responseEvents(created('r'), ...events, completed('r')));
    const sink = new CollectedText();
    expect((await model.run(modelRequest(), sink)).text).toBe('Let me look.\n\nIt is sent.');
    expect(sink.unescaped).toBe('Let me look.\n\nIt is sent.');
  });

  // proves configuration-3-88
  it('are no reply where they ask for an approval that nobody has offered', async () => {
    const model = await openResponses(replyWith('r', [approvalRequest('a1', 'pay')]), saying('unused'));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_no_reply' });
  });
});
