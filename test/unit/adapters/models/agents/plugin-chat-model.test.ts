import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PluginChatModel } from '../../../../../src/adapters/models/agents/plugin-chat-model.ts';
import type { AskingTurn, ModelReply, ModelRequest } from '../../../../../src/core/ports/chat-model.ts';
import type { AgentContext, AgentPiece } from '../../../../../src/plugin-api/answering-agent.ts';
import { recordingLogger } from '../../../../support/quiet.ts';

const limits = { idleMs: 100, totalMs: 300, replyLength: 200 };

const turn: AskingTurn = {
  id: 't1',
  conversationId: 'c1',
  user: { id: '', name: '', roles: [], claims: {}, isAuthenticated: false },
  channel: 'sse',
  page: undefined,
};

function run(
  stream: (context: AgentContext) => AsyncIterable<unknown>,
  stop = new AbortController().signal,
): Promise<ModelReply> {
  const agent = { stream: (_messages: unknown, context: AgentContext) => stream(context) as AsyncIterable<AgentPiece> };
  const options = { name: 'desk', plugin: 'cases', includeSensitive: false, log: recordingLogger(), limits };
  const request: ModelRequest = {
    ...{ instructions: 'Be kind.', messages: [{ role: 'user', text: 'Hello' }], tools: [], toolChoice: 'auto' },
    ...{ signal: stop, flow: { paused: false, onResume: () => undefined }, turn },
  };
  return new PluginChatModel({ ...options, agent }).run(request, { text: () => undefined });
}

const forEver = async function* (piece: string, everyMs: number): AsyncIterable<unknown> {
  for (;;) {
    await wait(everyMs);
    yield piece;
  }
};

const calls = async function* (count: number): AsyncIterable<unknown> {
  for (let made = 0; made < count; made += 1) yield await Promise.resolve({ toolCall: { name: 'a', arguments: {} } });
};

const once = async function* (piece: unknown): AsyncIterable<unknown> {
  yield await Promise.resolve(piece);
};

describe('an agent of a plugin in place of a model (contract/agents.md#an-agent-that-answers)', () => {
  it('has a reply of its texts, its calls and the sum of what it has taken', async () => {
    const seen: AgentContext[] = [];
    const reply = await run(async function* (context) {
      seen.push(await Promise.resolve(context));
      yield* ['Hel', 'lo.', { usage: { inputTokens: 1, outputTokens: 2 } }];
      yield* [{ toolCall: { name: 'close', arguments: { id: 7 } } }, { usage: { inputTokens: 10, outputTokens: 20 } }];
    });
    expect(reply).toMatchObject({
      text: 'Hello.',
      toolCalls: [{ name: 'close', arguments: '{"id":7}' }],
      usage: { inputTokens: 11, outputTokens: 22 },
      model: 'desk',
      finish: 'tool-calls',
    });
    expect(seen).toMatchObject([
      { turnId: 't1', conversationId: 'c1', channel: 'sse', user: { isAuthenticated: false } },
    ]);
  });

  // proves configuration-6-94
  it.each<readonly [string, () => AsyncIterable<unknown>, string]>([
    ['it says nothing', () => forEver('x', 60_000), 'model_timeout'],
    ['it says something for ever', () => forEver('', 20), 'model_timeout'],
    ['it says too much', () => forEver('x'.repeat(150), 5), 'model_unavailable'],
    ['it asks for too many tools', () => calls(65), 'model_unavailable'],
  ])('ends within its limits: %s', async (_what, stream, code) => {
    await expect(run(stream)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('the agent desk') as string,
    });
  });

  // proves configuration-6-94, service-18-15
  it.each([
    ['a number', 7],
    ['nothing', undefined],
    ['a call without a name', { toolCall: { arguments: {} } }],
    ['a call with a list of arguments', { toolCall: { name: 'a', arguments: [] } }],
    ['a usage below 0', { usage: { inputTokens: -1, outputTokens: 0 } }],
  ])('fails where a piece is none: %s', async (_what, piece) => {
    await expect(run(() => once(piece))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(
        /^the agent desk\b.* has failed: TypeError: (a piece of an answer|toolCall|usage) must/,
      ) as string,
    });
  });

  it('tells the agent of a Stop, and waits for nothing', async () => {
    const stopping = new AbortController();
    const told = Promise.withResolvers<undefined>();
    const running = run(async function* ({ signal }) {
      signal.addEventListener('abort', () => {
        told.resolve(undefined);
      });
      yield 'Well, ';
      await new Promise(() => undefined);
    }, stopping.signal);
    setImmediate(() => {
      stopping.abort(new Error('stopped'));
    });
    await expect(running).rejects.toThrow('stopped');
    await told.promise;
  });

  it('tells the agent that a call which took too long is over', async () => {
    const told = Promise.withResolvers<undefined>();
    const running = run(async function* ({ signal }) {
      signal.addEventListener('abort', () => {
        told.resolve(undefined);
      });
      yield* [];
      await new Promise(() => undefined);
    });
    await expect(running).rejects.toMatchObject({ code: 'model_timeout' });
    await told.promise;
  });
});
