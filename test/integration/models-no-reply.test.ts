import { afterEach, describe, expect, it } from 'vitest';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels } from '../support/opened-models.ts';
import { calling, chunk, ending, failing, saying, sending } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';
import { fakeTool } from '../support/fake-tool.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const done = 'data: [DONE]\n\n';
const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

describe('a reply that says nothing (contract/models.md)', () => {
  const nothing: readonly (readonly [string, string, string])[] = [
    ['an end at once', chunk({ content: '' }) + ending(), '(stop)'],
    ['the end mark alone', done, 'nor a call'],
    ['white space', chunk({ content: ' \n' }) + ending(), '(stop)'],
    ['a thought beside the text', chunk({ reasoning_content: 'hm' }) + ending(), '(stop)'],
    ['a thought in the text', chunk({ content: '<think>hm</think>' }) + ending(), '(stop)'],
  ];

  // proves configuration-3-88
  it.each(nothing)('is tried again: %s', async (_title, bytes) => {
    const scripted = await models.server(sending(bytes), saying('Hello'));
    const model = await models.openOn(scripted, { maxRetries: 1 });
    expect((await model.run(modelRequest(), new CollectedText())).text.trim()).toBe('Hello');
  });

  // proves configuration-3-88
  it.each(nothing)('is taken by the fallback, and is a fault of its own: %s', async (_title, bytes, reason) => {
    const scripted = await models.server(sending(bytes), sending(bytes), saying('Hello'));
    const main = modelSettings({ baseUrl: scripted.url });
    const alone = await models.open({ main });
    await expect(alone.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_no_reply',
      transient: true,
      message: expect.stringContaining(reason) as string,
    });
    const both = await models.open({ main: { ...main, fallbacks: ['other'] }, other: main });
    expect((await both.run(modelRequest(), new CollectedText())).text).toBe('Hello');
  });

  // proves configuration-3-88
  it.each([
    ['beside the text', chunk({ reasoning_content: 'a long thought' })],
    ['in the text', chunk({ content: '<think>a long thought' })],
  ])('is not asked for twice when the thought alone has reached the length limit: %s', async (_title, thought) => {
    const scripted = await models.server(sending(thought + ending('length')));
    const model = await models.openOn(scripted, { maxRetries: 3 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_no_reply' });
    expect(scripted.requests).toHaveLength(1);
  });

  // proves configuration-3-88
  it('ends the turn with a sentence, also after tools', async () => {
    const empty = sending(chunk({ content: '' }) + ending());
    const scripted = await models.server(calling({ name: 'get_order', arguments: {} }), empty);
    const toolList = [fakeTool({ name: 'get_order', readOnly: true })];
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'hi' } });
    await stream.closed;
    expect(stream.frames.find(({ event }) => event === 'failure')?.data).toMatchObject({
      code: 'model_no_reply',
      message: 'The assistant gave no answer. Please try again or rephrase your question.',
      retryable: true,
    });
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'failed', code: 'model_no_reply' });
  });
});

describe('what comes in place of a reply (contract/models.md)', () => {
  // proves configuration-3-89
  it.each([
    ['an error object', line({ object: 'error', message: 'too long', code: 400 }) + done, /answered 400/, false],
    ['its status as a text', line({ object: 'error', message: 'busy', code: '503' }) + done, /answered 503/, true],
    ['an error event', `event: error\n${line({ message: 'overloaded', status: 529 })}${done}`, /answered 529/, true],
    ['a code of its own', line(JSON.parse('{"code":"40003","msg":"no such token"}') as object), /answered 500/, true],
    ['a detail', line({ detail: 'Not valid', status: 400 }), /answered 400/, false],
  ])('is a fault: %s', async (_title, bytes, message, transient) => {
    const scripted = await models.server(sending(bytes));
    const model = await models.openOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: transient ? 'model_unavailable' : 'model_misconfigured',
      transient,
      message: expect.stringMatching(message) as string,
    });
  });

  // proves configuration-3-89
  it('breaks off a reply that has begun', async () => {
    const late = `event: error\n${line({ message: 'overloaded', status: 529 })}`;
    const model = await models.openOn(await models.server(sending(chunk({ content: 'Hi' }) + late)), { maxRetries: 1 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ transient: false });
  });

  it('may be a whole message, or a call in the older form', async () => {
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] };
    const older = chunk({ function_call: { name: 'get_order', arguments: '{"id":' } });
    const rest = chunk({ function_call: { arguments: '1}' } }) + ending('function_call');
    const model = await models.openOn(await models.server(sending(line(whole) + done), sending(older + rest)));
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hi');
    const { toolCalls } = await model.run(modelRequest(), new CollectedText());
    expect(toolCalls).toMatchObject([{ name: 'get_order', arguments: '{"id":1}' }]);
  });
});

describe("a provider's own word for the end (contract/models.md)", () => {
  const half = chunk({ content: 'Half of an' });

  // proves configuration-3-90
  it.each(['content_filtered', 'guardrail_intervened', 'PROHIBITED_CONTENT', 'RECITATION', 'SPII', 'BLOCKLIST'])(
    'is a refusal: %s',
    async (reason) => {
      const scripted = await models.server(sending(half + ending(reason)), sending(ending(reason)));
      const model = await models.openOn(scripted, { maxRetries: 1 });
      const refused = { code: 'model_refused', transient: false };
      await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject(refused);
      await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject(refused);
      expect(scripted.requests).toHaveLength(2);
    },
  );

  // proves configuration-3-90
  it.each([
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    'Content Exists Risk',
  ])('is a refusal in its words, where its code is that of any other request: %s', async (message) => {
    const body = { error: { message, type: 'invalid_request_error', code: 'invalid_request_error' } };
    const model = await models.openOn(await models.server(failing(400, { body })));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_refused' });
  });

  // proves configuration-3-90
  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'malformed_model_output', 'tool_use_failed', 'timeout'])(
    'is a fault, which is tried again before the first token: %s',
    async (reason) => {
      const scripted = await models.server(sending(ending(reason)), saying('Hello'), sending(half + ending(reason)));
      const model = await models.openOn(scripted, { maxRetries: 1 });
      expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hello');
      await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
        code: 'model_unavailable',
        transient: false,
        message: expect.stringContaining(reason) as string,
      });
    },
  );

  // proves configuration-3-91, configuration-3-92
  it.each(['length', 'MAX_TOKENS', 'model_context_window_exceeded'])(
    'says that a reply was cut: %s',
    async (reason) => {
      const { url } = await testHttp({
        model: await models.openOn(await models.server(sending(half + ending(reason)))),
      });
      const stream = await openSse(`${url}/helper/chat`, { body: { message: 'hi' } });
      await stream.closed;
      expect(stream.text()).toBe('Half of an');
      expect(stream.frames.find(({ event }) => event === 'failure')?.data).toMatchObject({
        code: 'reply_cut',
        message: 'The answer was too long and was cut off. Ask for the rest or for a shorter answer.',
        retryable: false,
      });
      expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed', code: 'reply_cut', text: 'Half of an' });
    },
  );
});
