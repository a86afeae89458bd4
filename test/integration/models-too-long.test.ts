import { afterEach, describe, expect, it } from 'vitest';
import { withoutWindow } from '../../src/adapters/models/with-window.ts';
import { ContextExceeded } from '../../src/core/ports/context-exceeded.ts';
import { turnOf, words } from '../support/histories.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, modelSettings, OpenedModels } from '../support/opened-models.ts';
import { PackageChat } from '../support/package-chat.ts';
import { failing, type ModelScript, saying, type ScriptedModel } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const error = (fields: object): object => ({ error: { message: 'no', type: 'invalid_request_error', ...fields } });
const tooLong = failing(400, { body: error({ code: 'context_length_exceeded' }) });
const long = [...turnOf(400, []), ...turnOf(400, []), ...turnOf(20, [], { isOpen: true })];

/** Takes this many messages at most. */
const taking = (most: number): ModelScript => {
  return (exchange) => {
    const { length } = exchange.request.body['messages'] as readonly unknown[]; // OpenAI's protocol has a list here
    return (length > most ? tooLong : saying('ok'))(exchange);
  };
};
const sentTo = ({ requests }: ScriptedModel): readonly number[] =>
  requests.map(({ body }) => (body['messages'] as readonly unknown[]).length); // as above

describe('what a provider finds too long (contract/models.md#the-context-window)', () => {
  // proves service-3-71
  it('is shortened and sent again, and the log says that contextWindow is too large', async () => {
    const scripted = await models.server(...Array.from({ length: 3 }, () => taking(4)));
    const model = await models.openOn(scripted);
    const request = modelRequest({ messages: long });
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    expect(models.logged).toContainEqual(
      expect.objectContaining({
        contextWindow: modelBounds.contextWindow,
        message: 'the model takes less than contextWindow says: set it to what it takes',
      }),
    );
    expect((await model.run(request, new CollectedText())).text).toBe('ok');
    // The first one was halved, the second one was shortened before it was sent.
    expect(sentTo(scripted)).toEqual([6, 2, 4]);
  });

  // proves service-3-71
  it('and cannot be shortened is refused, and the next message is sent', async () => {
    const scripted = await models.server(tooLong, saying('ok'));
    const { url } = await testHttp({ model: await models.openOn(scripted) });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: words(300) } });
    await stream.closed;
    expect(stream.frames.find(({ event }) => event === 'failure')?.data).toMatchObject({
      code: 'message_too_long',
      message: 'Together with its context, the message is too long for the assistant. Please shorten it.',
    });
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'refused', code: 'message_too_long' });
    const next = await openSse(`${url}/helper/chat`, { body: { message: words(290) } });
    expect((await next.next('end')).data).toMatchObject({ status: 'completed', text: 'ok' });
  });

  // proves service-3-71
  it('three times is a turn that does not fit, and goes to the fallback', async () => {
    const scripted = await models.server(tooLong, tooLong, tooLong);
    const other = await models.server(saying('ok'));
    const main = modelSettings({ baseUrl: scripted.url, maxRetries: 3, fallbacks: ['other'] });
    const model = await models.open({ main, other: modelSettings({ baseUrl: other.url }) });
    const messages = [...long.slice(0, 4), ...turnOf(1, [], { isOpen: true })];
    expect((await model.run(modelRequest({ messages }), new CollectedText())).text).toBe('ok');
    expect(scripted.requests.length).toBeGreaterThan(1);
    expect(sentTo(other)).toEqual([6]);
  });

  // proves service-3-71
  it.each([
    ['a code', failing(400, { body: error({ code: 'too_many_prompt_tokens' }) })],
    ['a type', failing(400, { body: error({ type: 'exceed_context_size_error' }) })],
    ['a status', failing(413, { body: 'Payload Too Large' })],
    ['words', failing(400, { body: error({ message: "This model's maximum context length is 8192 tokens." }) })],
    [
      'words of Google',
      failing(400, { body: [error({ message: 'The input exceeds the maximum number of tokens allowed.' })] }),
    ],
    ['words of Claude', failing(400, { body: error({ message: 'prompt is too long: 300 tokens > 200 maximum' }) })],
  ])('is known by %s', async (_title, script) => {
    const model = await models.openOn(await models.server(script));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(ContextExceeded);
  });

  // proves service-3-71
  it('is known over a package', async () => {
    const overflow = Object.assign(new Error('prompt is too long'), { name: 'ContextOverflowError' });
    const settings = { api: 'chat', ...modelBounds, maxRetries: 2, fallbacks: [], plugin: 'mine' } as const;
    const chat = new PackageChat(overflow);
    const model = await models.open({ main: settings }, { mine: chat });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(ContextExceeded);
    expect(chat.sent).toHaveLength(1);
  });

  // proves service-3-71
  it('is a turn that does not fit where the provider keeps the conversation', async () => {
    const model = withoutWindow(await models.openOn(await models.server(tooLong)));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toThrow(ContextExceeded);
  });

  it.each([
    ['a reply that would be too long', failing(400, { body: error({ message: 'max_tokens is too large: 90000.' }) })],
    ['a rate', failing(413, { body: error({ code: 'rate_limit_exceeded', message: 'Request too large for model' }) })],
  ])('is not %s', async (_title, script) => {
    const model = await models.openOn(await models.server(script));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_misconfigured' });
  });
});
