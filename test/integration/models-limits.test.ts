import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import { ReplyMemory } from '../../src/adapters/models/reply-limits.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey } from '../support/opened-models.ts';
import { chunk, ending, type ModelScript, saying, type ScriptedModel } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

type Open = (scripted: ScriptedModel, changes?: Partial<ModelSettings>) => Promise<ChatModel>;

/** Both ways to a model: the wire of our own, and a LangChain package. */
const ways: readonly (readonly [string, Open])[] = [
  ['a model on the OpenAI wire', (scripted, changes) => models.openOn(scripted, changes)],
  [
    'a model of a LangChain package',
    (scripted, changes) => {
      const options = { model: 'scripted', apiKey: secretKey, configuration: { baseURL: scripted.url } };
      const entry = { provider: '@langchain/openai', class: 'ChatOpenAI', options, api: 'chat' } as const;
      return models.open({ main: { ...entry, ...modelBounds, maxRetries: 0, fallbacks: [], ...changes } });
    },
  ],
];

/** Sends the same bytes until the client has gone. */
function endless(bytes: string, first = ''): ModelScript {
  return async (exchange) => {
    await exchange.send(first);
    while (!exchange.isClosed) {
      await exchange.send(bytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

const toolCall = (fragment: object): string => chunk({ role: 'assistant', tool_calls: [{ index: 0, ...fragment }] });

describe.each(ways)('%s (contract/models.md, `totalTimeout`, `maxLineBytes`, `maxReplyBytes`)', (_way, openOn) => {
  it.each([
    // proves configuration-3-02
    ['sends only comments', endless(': still here\n\n')],
    ['sends deltas without a text', endless(chunk({}))],
    ['sends a text without an end', endless(chunk({ content: 'and ' }))],
  ])('is given up after its total time when it %s, and its socket is closed', async (_title, script) => {
    const scripted = await models.server(script);
    const model = await openOn(scripted, { totalTimeout: 300 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_timeout',
      transient: false,
      message: 'the model took longer than 300 ms',
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('is given up when a reader holds it back beyond its total time', async () => {
    const scripted = await models.server(endless(chunk({ content: 'and ' })));
    const model = await openOn(scripted, { totalTimeout: 300 });
    const flow = { paused: true, onResume: () => undefined };
    await expect(model.run(modelRequest({ flow }), new CollectedText())).rejects.toMatchObject({
      code: 'model_timeout',
    });
  });

  it.each([
    // proves configuration-3-03
    ['that has not ended', endless('x'.repeat(4_000), 'data: ')],
    ['that is whole', endless('', chunk({ content: 'x'.repeat(20_000) }))],
    [
      'behind lines of a known form',
      endless('', chunk({ content: 'a' }).repeat(3) + chunk({ content: 'x'.repeat(20_000) })),
    ],
  ])('is unavailable after a line over its limit %s, and its socket is closed', async (_title, script) => {
    const scripted = await models.server(script, saying('never asked again'));
    const model = await openOn(scripted, { maxLineBytes: 10_000, maxRetries: 2 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: false,
      message: 'a line of the reply is longer than 10000 bytes (maxLineBytes)',
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
    expect(scripted.requests).toHaveLength(1);
  });

  it.each([
    // proves configuration-3-03
    ['text', endless(chunk({ content: 'x'.repeat(1_000) }))],
    [
      'arguments',
      endless(
        toolCall({ function: { arguments: 'x'.repeat(1_000) } }),
        toolCall({ id: 'a', function: { name: 'get' } }),
      ),
    ],
    ['names', endless(toolCall({ function: { name: 'x'.repeat(1_000) } }))],
  ])('is unavailable after a reply over its limit, counting %s, and its socket is closed', async (_title, script) => {
    const scripted = await models.server(script);
    const model = await openOn(scripted, { maxReplyBytes: 100_000 });
    const sink = new CollectedText();
    await expect(model.run(modelRequest(), sink)).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: false,
      message: 'the reply is longer than 100000 bytes (maxReplyBytes)',
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
    expect(sink.pieces.join('').length).toBeLessThanOrEqual(100_000);
  });

  // proves configuration-3-03
  it('takes a reply and a line of exactly the longest length', async () => {
    const content = 'x'.repeat(9_000);
    const line = chunk({ content });
    const scripted = await models.server(async (exchange) => {
      await exchange.send(line + ending());
      exchange.end();
    });
    const model = await openOn(scripted, { maxReplyBytes: content.length, maxLineBytes: line.length - 1 });
    await expect(model.run(modelRequest(), new CollectedText())).resolves.toMatchObject({ text: content });
  });

  it('goes on after a call of its own whose arguments were nested too deep', async () => {
    const scripted = await models.server(saying('Sorry.'));
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const messages = [
      { role: 'user', text: 'x' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'get', arguments: deep }] },
      { role: 'tool', callId: 'a', name: 'get', text: 'The arguments do not fit.' },
    ] as const;
    const model = await openOn(scripted);
    await expect(model.run(modelRequest({ messages }), new CollectedText())).resolves.toMatchObject({ text: 'Sorry.' });
  });

  it('shares its memory with all replies under way, and gives it back when they end', async () => {
    models.memory = new ReplyMemory(300_000);
    const flood = endless(chunk({ content: 'x'.repeat(1_000) }));
    const scripted = await models.server(flood, flood, flood, flood, saying('fits'));
    const model = await openOn(scripted);
    const runs = [1, 2, 3, 4].map(() => model.run(modelRequest(), new CollectedText()));
    for (const run of await Promise.allSettled(runs)) {
      const message = 'the replies under way would hold more than 300000 bytes together';
      expect(run).toMatchObject({ reason: { code: 'model_unavailable', message } });
    }
    await expect(model.run(modelRequest(), new CollectedText())).resolves.toMatchObject({ text: 'fits' });
  });
});

describe('the memory of replies under way (contract/models.md)', () => {
  it('counts lines that have not ended', async () => {
    models.memory = new ReplyMemory(300_000);
    const line = endless('x'.repeat(4_000), 'data: ');
    const scripted = await models.server(line, line, saying('fits'));
    const model = await models.openOn(scripted);
    const runs = [1, 2].map(() => model.run(modelRequest(), new CollectedText()));
    for (const run of await Promise.allSettled(runs)) {
      expect(run).toMatchObject({ reason: { code: 'model_unavailable' } });
    }
    await expect(model.run(modelRequest(), new CollectedText())).resolves.toMatchObject({ text: 'fits' });
  });
});
