import { describe, expect, it } from 'vitest';
import { ModelWindows } from '../../../../src/adapters/models/model-windows.ts';
import { withWindow } from '../../../../src/adapters/models/with-window.ts';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import type { ModelRequest } from '../../../../src/core/ports/chat-model.ts';
import { call, fakeModel, type FakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { orphans, words } from '../../../support/histories.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';
import { anyone, idOf, run } from '../confirmations/native-process.ts';

const look = fakeTool({ name: 'look_up', readOnly: true, execute: () => ({ value: words(300) }) });
const history = (threshold: number, maxTurns = 8) => ({
  estimates: new TokenEstimates(tokenxCounter),
  compaction: { threshold, maxTurns },
});

function open(options: TestAssistantOptions) {
  const test = testAssistant({ toolList: [look], ...options });
  const session = test.assistant.openSession({ channel: 'hub' });
  const say = async (text: string) => {
    const turn = session.startNow({ text });
    const { events, ended } = readTurn(turn);
    await ended;
    return { ...(await turn.result), error: events.find(({ type }) => type === 'error-occurred')?.fields };
  };
  return { ...test, session, say };
}

/** A model with a window, over one that plays a script. */
function small(contextWindow: number, ...steps: Parameters<typeof fakeModel>) {
  const usage = { inputTokens: 0, outputTokens: 0 }; // with this usage the estimate of tokens does not change
  const inner = fakeModel(...steps.map((step) => ({ ...step, usage })));
  const estimates = new TokenEstimates(tokenxCounter);
  const known = new ModelWindows().at('model');
  const services = { estimates, log: recordingLogger(), entry: 'main', known, server: undefined };
  const model = withWindow(inner, { contextWindow, maxOutputTokens: 1 }, services);
  return { inner, model };
}

const asked = ({ messages = [] }: Partial<ModelRequest> = {}): readonly string[] =>
  messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(0, 9));
const last = ({ requests }: FakeModel): ModelRequest | undefined => requests.at(-1);

describe('a conversation with compaction (contract/sessions.md#compaction)', () => {
  // proves service-2.9-34, service-2.9-35
  it('is sent shortened without asking a model, while what is kept stays whole', async () => {
    const model = fakeModel({ text: 'ok' });
    const { session, say } = open({ model, history: history(100, 1) });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
    expect(asked(last(model))).toEqual(['two door ', 'three doo']);
    expect(model.requests).toHaveLength(3);
    expect(session.transcript.map(({ message }) => message.text.slice(0, 5))).toEqual(
      ['one d', 'two d', 'three'].flatMap((text) => [text, 'ok']),
    );
  });

  // proves service-2.9-35
  it('stays whole in a snapshot', async () => {
    const { session, say, snapshots } = open({ model: fakeModel({ text: 'ok' }), history: history(10, 1) });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
    const { session: other } = open({ model: fakeModel({ text: 'ok' }) });
    await snapshots.restore(other, await snapshots.save(session));
    expect(other.transcript).toEqual(session.transcript);
  });

  // proves service-2.9-30, service-8-17
  it('is sent whole up to the threshold, and without compaction', async () => {
    for (const given of [{ history: history(10_000) }, {}]) {
      const model = fakeModel({ text: 'ok' });
      const { say } = open({ model, ...given });
      for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
      expect(asked(last(model))).toHaveLength(3);
    }
  });

  // proves service-2.9-36
  it('is the same in every round of a turn, although the estimate has learned meanwhile', async () => {
    const services = history(400, 1);
    const toolCalls = [call('look_up')];
    const model = fakeModel({ text: 'ok' }, { text: 'ok' }, { toolCalls }, { text: 'ok' });
    const learning = { ...look, execute: () => (services.estimates.learn('fake-1', 1000, 2000), { value: 'x' }) };
    const { say } = open({
      model,
      history: services,
      toolList: [{ ...learning, execute: () => Promise.resolve(learning.execute()) }],
    });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(150)}`);
    expect(services.estimates.factor('fake-1')).toBe(2);
    expect(asked(model.requests[2])).toEqual(['one door ', 'two door ', 'three doo']);
    expect(asked(last(model))).toEqual(asked(model.requests[2]));
  });

  it('goes by what the model reports of its tokens', async () => {
    const services = history(400, 1);
    services.estimates.learn('fake-1', 1000, 2000);
    const model = fakeModel({ text: 'ok' });
    const { say } = open({ model, history: services });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(150)}`);
    expect(asked(last(model))).toEqual(['two door ', 'three doo']);
  });

  // proves service-2.9-36
  it('is cut after a restart as it was before it, whatever is configured then', async () => {
    const kept = memoryStores();
    const tool = fakeTool();
    const toolCalls = [call('close_case', { caseId: 42 })];
    const model = fakeModel({ text: 'ok' }, { text: 'ok' }, { toolCalls });
    const first = run(kept, { toolList: [tool], model, history: history(100, 1) });
    await first.assistant.takeUpTurns();
    const session = first.assistant.openSession({ channel: 'hub' });
    for (const text of ['one', 'two']) await session.startNow({ text: `${text} ${words(60)}` }).result;
    const turn = session.startNow({ text: 'close case 42' });
    const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
    const after = fakeModel({ text: 'Closed.' });
    const next = run(kept, { toolList: [tool], model: after });
    await next.assistant.takeUpTurns();
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    await next.answer(actionId);
    await resumed?.result;
    expect(asked(last(model))).toEqual(['two door ', 'close cas']);
    expect(asked(last(after))).toEqual(asked(last(model)));
  });
});

describe('a turn that is longer than the window of its model (contract/models.md#the-context-window)', () => {
  // proves configuration-3-62
  it('is sent what fits, without compaction', async () => {
    const { inner, model } = small(330, { text: 'ok' });
    const { session, say } = open({ model });
    for (const text of ['one', 'two', 'three'])
      expect(await say(`${text} ${words(100)}`)).toMatchObject({ text: 'ok' });
    expect(asked(last(inner))).toEqual(['two door ', 'three doo']);
    expect(session.transcript).toHaveLength(6);
  });

  // proves configuration-3-65
  it('is refused where its message alone does not fit, in words of its own, before the model is called', async () => {
    const { inner, model } = small(400, { text: 'ok' });
    const { say, session, log } = open({ model, maxMessageLength: 0 });
    expect(await say(words(500))).toMatchObject({
      status: 'refused',
      code: 'message_too_long',
      error: {
        message: 'Together with its context, the message is too long for the assistant. Please shorten it.',
        retryable: false,
      },
    });
    expect(inner.requests).toEqual([]);
    expect(session.transcript).toEqual([]);
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(await say('short')).toMatchObject({ status: 'completed' });
  });

  // proves configuration-3-65
  it('does not count by the rate when it is refused', async () => {
    const { model } = small(400, { text: 'ok' });
    const { say } = open({ model, rateLimitPerUser: 1 });
    for (const _time of [1, 2]) expect(await say(words(500))).toMatchObject({ code: 'message_too_long' });
    expect(await say('short')).toMatchObject({ status: 'completed' });
    expect(await say('short')).toMatchObject({ code: 'rate_limited' });
  });

  // proves configuration-3-63
  it('sends older results of its own as one line, and those that the model has not read whole', async () => {
    const toolCalls = [call('look_up')];
    const { inner, model } = small(800, { toolCalls }, { toolCalls }, { toolCalls }, { text: 'done' });
    const { say, session } = open({ model });
    expect(await say('look')).toMatchObject({ text: 'done' });
    const results = (last(inner)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ text }) => text.length);
    expect(results).toEqual([expect.any(Number), expect.any(Number), 1511]);
    expect(Math.min(...results)).toBeLessThan(120);
    for (const { messages } of inner.requests) expect(orphans(messages)).toEqual([]);
    const kept = session.transcript.filter(({ message }) => message.role === 'tool');
    expect(kept.map(({ message }) => message.text.length)).toEqual([1511, 1511, 1511]);
  });

  // proves configuration-3-66
  it('fails where results that the model has asked for cannot fit', async () => {
    const { inner, model } = small(300, { toolCalls: [call('look_up')] }, { text: 'never' });
    const { say } = open({ model });
    expect(await say('look')).toMatchObject({ status: 'failed', code: 'tool_loop_limit' });
    expect(inner.requests).toHaveLength(1);
  });
});
