import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { OpenedModels } from '../support/opened-models.ts';
import { rounds } from '../support/run/tier.ts';
import type { ModelScript } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const packings = {
  none: (bytes: Buffer) => bytes,
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
} as const;

/** What a model says. */
const saids = fc.record({
  text: fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => /^\w/.test(text) && !/<\/?think/i.test(text)),
  thought: fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.includes('<')),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('get_order', 'get_price'),
      arguments: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
    { maxLength: 3 },
  ),
  usage: fc.record({ prompt_tokens: fc.nat(9999), completion_tokens: fc.nat(9999) }),
});

/** How its provider writes that down. Each member is a habit that some provider has. */
const habits = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.constantFrom('', '\uFEFF'),
  packing: fc.constantFrom('none', 'gzip', 'deflate', 'br'),
  readSize: fc.integer({ min: 1, max: 200 }),
  pieceSize: fc.integer({ min: 1, max: 30 }),
  isOverLines: fc.boolean(),
  isCommented: fc.boolean(),
  isNamed: fc.boolean(),
  hasNulls: fc.boolean(),
  hasRoleEachTime: fc.boolean(),
  beginsEmpty: fc.boolean(),
  thinksIn: fc.constantFrom('reasoning_content', 'reasoning', 'tags', 'nothing'),
  callsWhole: fc.boolean(),
  callsHaveIndex: fc.boolean(),
  stopsAlways: fc.boolean(),
  usageIn: fc.constantFrom('its own chunk', 'the last chunk', 'each chunk', 'x_groq'),
  isDone: fc.boolean(),
});

type Said = typeof saids extends fc.Arbitrary<infer Value> ? Value : never;
type Habits = typeof habits extends fc.Arbitrary<infer Value> ? Value : never;

function pieces(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

function deltasOf({ text, thought, calls }: Said, habit: Habits): readonly object[] {
  const { pieceSize, thinksIn, callsWhole, callsHaveIndex } = habit;
  const isTagged = thinksIn === 'tags' && thought !== '';
  const thoughts =
    thinksIn === 'reasoning_content' || thinksIn === 'reasoning'
      ? pieces(thought, pieceSize).map((piece) => ({ [thinksIn]: piece }))
      : [];
  const words = pieces(`${isTagged ? `<think>${thought}</think>\n\n` : ''}${text}`, pieceSize);
  const called = calls.flatMap((call, index): readonly object[] => {
    const written = JSON.stringify(call.arguments);
    const place = callsHaveIndex || !callsWhole ? { index } : {};
    const head = { ...place, id: `call_${String(index)}`, type: 'function' };
    if (callsWhole) return [{ tool_calls: [{ ...head, function: { name: call.name, arguments: written } }] }];
    const rest = pieces(written, pieceSize).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    }));
    return [{ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] }, ...rest];
  });
  return [...thoughts, ...words.map((content) => ({ content })), ...called];
}

function streamOf(said: Said, habit: Habits): Buffer {
  const { usage } = said;
  const nulls = habit.hasNulls ? { refusal: null, function_call: null, audio: null } : {};
  const role = habit.hasRoleEachTime ? { role: 'assistant' } : {};
  const used = habit.usageIn === 'each chunk' ? { usage } : habit.hasNulls ? { usage: null } : {};
  const finish = said.calls.length > 0 && !habit.stopsAlways ? 'tool_calls' : 'stop';
  const last =
    habit.usageIn === 'the last chunk' ? { usage } : habit.usageIn === 'x_groq' ? { x_groq: { id: 'r', usage } } : used;
  const chunks = [
    ...(habit.beginsEmpty ? [{ choices: [], prompt_filter_results: [] }] : []),
    { choices: [{ index: 0, delta: { role: 'assistant', content: '', ...nulls }, finish_reason: null }], ...used },
    ...deltasOf(said, habit).map((delta) => ({
      choices: [{ index: 0, delta: { ...role, ...nulls, ...delta }, finish_reason: null }],
      ...used,
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }], ...last },
    ...(habit.usageIn === 'its own chunk' ? [{ choices: [], usage }] : []),
  ].map((members) => ({ id: 'x', object: 'chat.completion.chunk', model: 'm', ...members }));
  const events = chunks.map((each, index) => {
    const lines = habit.isOverLines ? JSON.stringify(each, undefined, 1).split('\n') : [JSON.stringify(each)];
    const comment = habit.isCommented && index % 3 === 0 ? ': PROCESSING\n\n' : '';
    return `${comment}${habit.isNamed ? 'event: message\n' : ''}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
  });
  const text = habit.mark + events.join('') + (habit.isDone ? 'data: [DONE]\n\n' : '');
  return packings[habit.packing](Buffer.from(text.replaceAll('\n', habit.lineEnd)));
}

function sending(bytes: Buffer, { packing, readSize }: Habits): ModelScript {
  return async (exchange) => {
    exchange.head(200, {
      'content-type': 'text/event-stream',
      ...(packing === 'none' ? {} : { 'content-encoding': packing }),
    });
    for (let at = 0; at < bytes.length; at += readSize) await exchange.send(bytes.subarray(at, at + readSize));
    exchange.end();
  };
}

describe('the habits of providers (contract/models.md)', () => {
  // proves configuration-3-94, configuration-3-96
  it('change nothing of what a model says, in whichever way they come together', async () => {
    const server = await models.server();
    const model = await models.openOn(server);
    const numRuns = rounds({ what: 'mixed habits of providers', short: 300, long: 10_000, variable: 'HELPER_QUIRKS' });
    await fc.assert(
      fc.asyncProperty(saids, habits, async (said, habit) => {
        server.script(sending(streamOf(said, habit), habit));
        const sink = new CollectedText();
        const reply = await model.run(modelRequest(), sink);
        expect(reply.text).toBe(said.text.toWellFormed());
        expect(sink.unescaped).toBe(reply.text);
        expect(reply.toolCalls.map(({ name, arguments: written }) => [name, written])).toEqual(
          said.calls.map((call) => [call.name, JSON.stringify(call.arguments)]),
        );
        expect(reply.usage).toMatchObject({
          inputTokens: said.usage.prompt_tokens,
          outputTokens: said.usage.completion_tokens,
        });
      }),
      { numRuns },
    );
  });
});
