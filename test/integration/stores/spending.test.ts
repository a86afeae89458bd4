import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryBudgetStore } from '../../../src/adapters/stores/in-memory/in-memory-budget-store.ts';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import { BudgetLedger } from '../../../src/core/budgets/budget-ledger.ts';
import { Classifier } from '../../../src/core/classifier/classifier.ts';
import { anonymousPrincipal, type Principal } from '../../../src/core/identity/principal.ts';
import { type ChatModel, ModelError } from '../../../src/core/ports/chat-model.ts';
import type { HostedProgress } from '../../../src/core/ports/hosted-tools.ts';
import { fakeModel } from '../../support/fake-model.ts';
import { modelRequest } from '../../support/model-requests.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { signedIn } from '../../support/principals.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../support/test-assistant.ts';
import { bounds, budget, testBudgets, type TestBudgetsOptions } from '../../support/test-budgets.ts';

const now = Date.UTC(2026, 10, 24, 11);
const usage = { inputTokens: 30, outputTokens: 10 };

/** Makes a function that sends one message and waits for the end of its turn. */
function speaker(options: TestAssistantOptions) {
  const { assistant, log } = testAssistant({ now: () => now, ...options });
  const say = async (principal: Principal = signedIn('ann'), text = 'Hello') => {
    const session = assistant.openSession({ channel: 'hub', principal });
    const reader = readTurn(session.startNow({ text }));
    await reader.ended;
    const [error] = reader.events.filter(({ type }) => type === 'error-occurred');
    const end = reader.events.at(-1)?.fields ?? {};
    return { ...end, error: error?.fields } as const;
  };
  return { assistant, say, log };
}

function usesOf({ store }: ReturnType<typeof testBudgets>) {
  const account = (...parts: readonly unknown[]) => JSON.stringify(parts);
  return store.uses([account('user', '', 'tokens', 86_400_000, '', 'mark of id:ann')], now);
}

async function embedded() {
  const path = await mkdtemp(join(tmpdir(), 'budgets-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path } as const;
}

function budgetsOf(options: Partial<TestBudgetsOptions> = {}) {
  return testBudgets({ budgets: [budget()], now: () => now, ...options });
}

describe('a budget (contract/limits.md#budgets)', () => {
  // proves configuration-2-70
  it('refuses a message once it is used up, before the model is asked, and says when it begins anew', async () => {
    const test = budgetsOf();
    const model = fakeModel({ text: 'Hi', usage });
    const { say } = speaker({ model, spending: () => test.spending });
    for (let turn = 0; turn < 3; turn += 1) expect(await say()).toMatchObject({ status: 'completed' });
    const refused = await say();
    expect(refused).toMatchObject({ status: 'refused', code: 'budget_exceeded', text: '' });
    expect(refused.error).toEqual({
      turnId: expect.any(String) as string,
      seq: expect.any(Number) as number,
      code: 'budget_exceeded',
      message: 'Your budget for the assistant is used up. It can answer again from Nov 25, 2026, 11:00 AM UTC.',
      retryable: false,
      budget: { remaining: 0, unit: 'tokens', resetsAt: '2026-11-25T11:00:00.000Z' },
    });
    expect(model.requests).toHaveLength(3);
    expect(await say(signedIn('bob'))).toMatchObject({ status: 'completed' });
    expect(test.metrics.counted).toContainEqual({ what: 'budgetUsedUp', value: { per: 'user', outcome: 'refused' } });
  });

  it('keeps nothing of what the provider’s tools do from whoever reads the reply', async () => {
    const test = budgetsOf();
    const progress: HostedProgress = { phase: 'began', id: 'ws_1', target: { kind: 'tool', name: 'WebSearch' } };
    const model: ChatModel = {
      ...fakeModel({ text: 'Hi', usage }),
      run: (_request, sink) => {
        sink.hosted?.(progress);
        sink.text('Hi');
        return Promise.resolve({ text: 'Hi', toolCalls: [], usage, model: 'fake-1', finish: 'stop' });
      },
    };
    const heard: unknown[] = [];
    const sink = { text: (piece: string) => heard.push(piece), hosted: (seen: HostedProgress) => heard.push(seen) };
    const ann = { userKey: 'id:ann', roles: new Set<string>(), tenant: undefined, conversationId: 'c' };
    await test.spending.pay(ann, { model, request: modelRequest(), sink });
    expect(heard).toEqual([progress, 'Hi']);
  });

  // proves configuration-2-65
  it('counts what the model reports, whatever was held before', async () => {
    const test = budgetsOf();
    const { say } = speaker({ model: fakeModel({ text: 'Hi', usage }), spending: () => test.spending });
    await say();
    expect(await usesOf(test)).toMatchObject([{ spent: 40, held: 0 }]);
  });

  // proves configuration-2-66
  it.each([
    ['memory', () => Promise.resolve({ type: 'memory' } as const)],
    ['SQLite', embedded],
    ['SQLite behind a ledger', embedded],
  ])('is overspent by one call at most when 200 turns come at once at its edge, in %s', async (name, storage) => {
    const stores = await openStores(await storage());
    onTestFinished(() => stores.journal.close());
    const limit = 1_000;
    const ledger = new BudgetLedger({ store: stores.budgets, log: recordingLogger() });
    const store = name.endsWith('behind a ledger') ? ledger : stores.budgets;
    const test = budgetsOf({ store, budgets: [budget({ per: 'day', limit })] });
    const most = { inputTokens: 10, outputTokens: 50 };
    const { say } = speaker({ model: fakeModel({ text: 'Hi', usage: most }), spending: () => test.spending });
    const ends = await Promise.all(Array.from({ length: 200 }, (_, index) => say(anonymousPrincipal(String(index)))));
    await ledger.close();
    const [use] = await stores.budgets.uses([JSON.stringify(['day', '', 'tokens', 86_400_000, '', ''])], now);
    expect(use?.held).toBe(0);
    expect(use?.spent).toBeLessThanOrEqual(limit + 60);
    expect(new Set(ends.map(({ error }) => error?.['code']))).toEqual(new Set([undefined, 'budget_exceeded']));
    // No spending was lost. Exactly the answered messages were counted.
    expect(use?.spent).toBe(60 * ends.filter(({ error }) => error === undefined).length);
  });

  // proves configuration-2-67
  it('lets a call wait for what others hold, and makes it when they leave something', async () => {
    const test = budgetsOf({ budgets: [budget({ limit: 50 })] });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const model = fakeModel({ text: 'Hi', usage, until: promise });
    const { say } = speaker({ model, spending: () => test.spending });
    const turns = [say(), say(), say()];
    await expect.poll(() => model.requests.length).toBe(1);
    resolve(undefined);
    const ends = await Promise.all(turns);
    expect(ends.map(({ error }) => error?.['code'])).toEqual([undefined, undefined, 'budget_exceeded']);
  });

  // proves configuration-2-67
  it('does not keep a call waiting that is stopped', async () => {
    const test = budgetsOf({ budgets: [budget({ limit: 50 })] });
    const model = fakeModel({ text: 'Hi', usage, until: new Promise(() => undefined) });
    const { assistant, say } = speaker({ model, spending: () => test.spending });
    void say();
    await expect.poll(() => model.requests.length).toBe(1);
    const turn = assistant.openSession({ channel: 'hub', principal: signedIn('ann') }).startNow({ text: 'Hello' });
    const stopped = readTurn(turn);
    await turn.stop('user');
    await stopped.ended;
    expect(stopped.events.at(-1)?.fields).toMatchObject({ status: 'stopped' });
  });

  // proves configuration-2-67
  it('refuses a call for which everything is held for longer than 10 s, and says that a moment later may do', async () => {
    // Each look at this clock is 20 s later than the one before.
    let elapsed = 0;
    const test = budgetsOf({ budgets: [budget({ limit: 20 })], elapsed: () => (elapsed += 20_000) });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { say } = speaker({ model: fakeModel({ text: 'Hi', usage, until: promise }), spending: () => test.spending });
    const first = say();
    await expect.poll(async () => (await usesOf(test))[0]?.held).toBeGreaterThan(20);
    expect((await say()).error).toMatchObject({
      code: 'budget_exceeded',
      retryable: true,
      message: 'The rest of your budget is reserved for answers in progress. Please try again in a moment.',
      budget: { remaining: 20 },
    });
    resolve(undefined);
    expect(await first).toMatchObject({ status: 'completed' });
  });

  // proves configuration-2-71
  it('ends a turn between two of its calls as failed', async () => {
    const test = budgetsOf({ budgets: [budget({ limit: 35 })] });
    const model = fakeModel({ toolCalls: [{ id: '1', name: 'look_up', arguments: '{}' }], usage }, { text: 'Done' });
    const tool = fakeTool({ name: 'look_up', readOnly: true });
    const { say } = speaker({ model, toolList: [tool], spending: () => test.spending });
    expect(await say()).toMatchObject({ status: 'failed', code: 'budget_exceeded', error: { retryable: false } });
    expect(model.requests).toHaveLength(1);
  });

  // proves configuration-2-76
  it('is met by turns that run when it is changed', async () => {
    const test = budgetsOf({ budgets: [budget({ limit: 1_000 })] });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const call = { toolCalls: [{ id: '1', name: 'look_up', arguments: '{}' }], usage, until: promise };
    const tool = fakeTool({ name: 'look_up', readOnly: true });
    const model = fakeModel(call, { text: 'Done' });
    const { say } = speaker({ model, toolList: [tool], spending: () => test.spending });
    const turn = say();
    await expect.poll(() => model.requests.length).toBe(1);
    test.budgets.take([budget({ limit: 5 })]);
    resolve(undefined);
    expect(await turn).toMatchObject({ status: 'failed', code: 'budget_exceeded' });
  });

  // proves configuration-2-69
  it.each([
    ['the input and what was read of a call that is stopped', { text: 'x'.repeat(60) }, 20],
    ['the input alone where nothing was read', {}, 0],
  ])('counts %s', async (_what, step, output) => {
    const test = budgetsOf();
    const model = fakeModel({ ...step, until: new Promise(() => undefined) });
    const { assistant } = speaker({ model, spending: () => test.spending });
    const session = assistant.openSession({ channel: 'hub', principal: signedIn('ann') });
    const turn = session.startNow({ text: 'Hello' });
    const reader = readTurn(turn);
    await expect.poll(() => model.requests.length).toBe(1);
    await turn.stop('user');
    await reader.ended;
    const [use] = await usesOf(test);
    expect(use?.held).toBe(0);
    expect(use?.spent).toBeGreaterThan(output);
    expect(use?.spent).toBeLessThan(output + 50);
  });

  // proves configuration-2-69
  it('counts the input of a call that takes too long', async () => {
    const test = budgetsOf();
    const fails = new ModelError('model_timeout', 'the model was silent', { transient: false });
    const { say } = speaker({ model: fakeModel({ fails }), spending: () => test.spending });
    expect(await say()).toMatchObject({ code: 'model_timeout' });
    const [use] = await usesOf(test);
    expect(use?.held).toBe(0);
    expect(use?.spent).toBeGreaterThan(0);
  });

  // proves configuration-2-69
  it('counts nothing of a call that fails before its first token', async () => {
    const test = budgetsOf();
    const fails = new ModelError('model_unavailable', 'it is away', { transient: false });
    const { say } = speaker({ model: fakeModel({ fails }), spending: () => test.spending });
    expect(await say()).toMatchObject({ code: 'model_unavailable' });
    expect(await usesOf(test)).toMatchObject([{ spent: 0, held: 0 }]);
  });

  // proves configuration-2-65
  it('guesses what a model has taken that does not say it', async () => {
    const test = budgetsOf();
    const nothing = { inputTokens: 0, outputTokens: 0 };
    const { say } = speaker({
      model: fakeModel({ text: 'x'.repeat(30), usage: nothing }),
      spending: () => test.spending,
    });
    await say();
    const [use] = await usesOf(test);
    expect(use?.spent).toBeGreaterThan(10);
    expect(use?.spent).toBeLessThan(60);
  });

  // proves configuration-2-78
  it('refuses what it cannot count, as overloaded', async () => {
    const test = budgetsOf();
    const store = { ...test.store, uses: () => Promise.reject(new Error('the disk is away')) };
    const away = budgetsOf({ store });
    const model = fakeModel({ text: 'Hi' });
    const { say } = speaker({ model, spending: () => away.spending });
    expect((await say()).error).toMatchObject({ code: 'overloaded', retryable: true });
    expect(model.requests).toHaveLength(0);
  });

  // proves configuration-2-78
  it('refuses what the store of a ledger cannot cover, as overloaded, and makes what is covered already', async () => {
    const kept = new InMemoryBudgetStore();
    const ledger = new BudgetLedger({ store: kept, log: recordingLogger() });
    onTestFinished(() => ledger.close());
    const test = budgetsOf({ store: ledger, budgets: [budget({ limit: 1_000_000 })] });
    const model = fakeModel({ text: 'Hi', usage });
    const { say } = speaker({ model, spending: () => test.spending });
    expect(await say()).toMatchObject({ status: 'completed' });
    const holds = vi.spyOn(kept, 'hold').mockRejectedValue(new Error('the disk is away'));
    expect(await say()).toMatchObject({ status: 'completed' });
    expect(holds).not.toHaveBeenCalled();
    expect((await say(signedIn('bob'))).error).toMatchObject({ code: 'overloaded', retryable: true });
    expect(model.requests).toHaveLength(2);
    holds.mockRestore();
  });
});

describe('who spends a budget (contract/limits.md#budgets)', () => {
  const spent =
    (per: Parameters<typeof budget>[0], ...people: readonly Principal[]) =>
    async () => {
      const test = budgetsOf({ budgets: [budget({ limit: 1, ...per })] });
      const { say } = speaker({ model: fakeModel({ text: 'Hi', usage }), spending: () => test.spending });
      const ends: unknown[] = [];
      for (const person of people) ends.push((await say(person)).error?.['code'] ?? 'answered');
      return ends;
    };
  const [ann, bob] = [signedIn('ann', 'agent'), signedIn('bob', 'agent')];
  const carl = signedIn('carl');
  const [acme, other] = [
    { ...ann, tenant: 'acme' },
    { ...ann, tenant: 'other' },
  ];
  const over = 'budget_exceeded';

  it.each([
    // proves configuration-2-62
    ['each user', spent({}, ann, ann, bob), ['answered', over, 'answered']],
    // proves configuration-2-63
    [
      'each user with a role',
      spent({ role: 'agent' }, ann, ann, carl, carl),
      ['answered', over, 'answered', 'answered'],
    ],
    // proves configuration-2-62
    [
      'all users with a role together',
      spent({ per: 'role', role: 'agent' }, ann, bob, carl),
      ['answered', over, 'answered'],
    ],
    // proves configuration-2-62
    [
      'everybody in a day together',
      spent({ per: 'day' }, ann, carl, anonymousPrincipal('x')),
      ['answered', over, over],
    ],
    // proves configuration-2-62
    ['each conversation', spent({ per: 'conversation' }, ann, ann), ['answered', 'answered']],
    // proves configuration-2-62
    [
      'each connection of nobody',
      spent({}, anonymousPrincipal('x'), anonymousPrincipal('y')),
      ['answered', 'answered'],
    ],
    // proves configuration-2-63
    ['each tenant by itself', spent({ per: 'day' }, acme, acme, other), ['answered', over, 'answered']],
    // proves configuration-2-63
    [
      'the tenants that it names',
      spent({ tenants: ['ac*'] }, acme, acme, other, other, ann, ann),
      ['answered', over, ...Array<string>(4).fill('answered')],
    ],
  ])('is %s', async (_who, ends, expected) => {
    expect(await ends()).toEqual(expected);
  });

  // proves configuration-2-62
  it('is a conversation over all its messages', async () => {
    const test = budgetsOf({ budgets: [budget({ per: 'conversation', limit: 1 })] });
    const { assistant } = speaker({ model: fakeModel({ text: 'Hi', usage }), spending: () => test.spending });
    const session = assistant.openSession({ channel: 'hub', principal: ann });
    const codes: unknown[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const asked = session.startNow({ text: 'Hello' });
      const reader = readTurn(asked);
      await asked.result;
      await reader.ended;
      codes.push(reader.events.at(-1)?.fields['code']);
    }
    expect(codes).toEqual([undefined, 'budget_exceeded']);
  });
});

describe('the window of a budget (contract/limits.md#budgets)', () => {
  // proves configuration-2-64
  it('begins with the first call that is counted, and does not move', async () => {
    let time = now;
    const test = budgetsOf({ budgets: [budget({ limit: 50, windowMs: 1_000 })], now: () => time });
    const { say } = speaker({ model: fakeModel({ text: 'Hi', usage }), spending: () => test.spending });
    const codes: unknown[] = [];
    for (const at of [0, 500, 999, 1_000]) {
      time = now + at;
      codes.push((await say()).error?.['code']);
    }
    expect(codes).toEqual([undefined, undefined, 'budget_exceeded', undefined]);
  });
});

describe('a budget that downgrades (contract/limits.md#budgets)', () => {
  const strong = bounds({ price: { inputPer1M: 10, outputPer1M: 10 } });
  const cheap = bounds({ model: 'cheap', price: { inputPer1M: 1, outputPer1M: 1 } });

  // proves configuration-2-72
  it('has the cheapest model answer once it is used up, until one that refuses is used up too', async () => {
    const model = fakeModel({ text: 'Dear', usage });
    const cheapest = { model: { ...fakeModel({ text: 'Cheap', usage }), model: 'cheap' }, bounds: [cheap] };
    const budgets = [budget({ limit: 30, then: 'downgrade' }), budget({ limit: 90 })];
    const test = budgetsOf({ budgets, bounds: [strong], cheapest });
    const { say } = speaker({ model, spending: () => test.spending });
    const ends = [];
    for (let turn = 0; turn < 4; turn += 1) ends.push(await say());
    expect(ends.map(({ error, ...end }) => error?.['code'] ?? (end as { readonly text?: unknown }).text)).toEqual([
      'Dear',
      'Cheap',
      'Cheap',
      'budget_exceeded',
    ]);
    expect(test.metrics.counted).toContainEqual({
      what: 'budgetUsedUp',
      value: { per: 'user', outcome: 'downgraded' },
    });
  });

  // proves configuration-2-61
  it('counts costs by the price of the model that has answered', async () => {
    const cheapest = { model: fakeModel({ text: 'Cheap', usage }), bounds: [cheap] };
    const budgets = [budget({ unit: 'cost', limit: 1, then: 'downgrade' })];
    const test = budgetsOf({ budgets, bounds: [strong], cheapest });
    const { say } = speaker({ model: fakeModel({ text: 'Dear', usage }), spending: () => test.spending });
    const account = JSON.stringify(['user', '', 'cost', 86_400_000, '', 'mark of id:ann']);
    await say();
    // 40 tokens at 10 for a million: 0.0004, in billionths.
    expect(await test.store.uses([account], now)).toMatchObject([{ spent: 400_000 }]);
    await say();
    expect(await test.store.uses([account], now)).toMatchObject([{ spent: 440_000 }]);
  });
});

describe('small questions (contract/limits.md#budgets)', () => {
  const asked = { instructions: 'Is it?', text: 'x', timeoutMs: 5_000, signal: new AbortController().signal };
  const spender = { userKey: 'id:ann', roles: new Set<string>(), tenant: undefined, conversationId: 'c' };

  // proves configuration-2-75
  it('count for whom they are asked, and are refused like every call', async () => {
    const test = budgetsOf({ budgets: [budget({ limit: 30 })] });
    const model = fakeModel({ text: '{"answer": true}', usage });
    const classifier = new Classifier(model, { payer: () => test.spending });
    await classifier.for(spender).object({ ...asked, tenant: undefined });
    expect(await usesOf(test)).toMatchObject([{ spent: 40, held: 0 }]);
    await expect(classifier.for(spender).object({ ...asked, tenant: undefined })).rejects.toMatchObject({
      code: 'budget_exceeded',
    });
    expect(model.requests).toHaveLength(1);
    // A question without a user is not counted.
    await classifier.object({ ...asked, tenant: undefined });
    expect(model.requests).toHaveLength(2);
  });
});

describe('what is left (contract/limits.md#budgets)', () => {
  // proves configuration-2-64, configuration-2-74
  it('is that of the budget nearest to its end, of those that refuse', async () => {
    const budgets = [
      budget({ limit: 1_000 }),
      budget({ per: 'day', limit: 50 }),
      budget({ per: 'conversation', limit: 1 }),
      budget({ limit: 1, then: 'downgrade', windowMs: 1_000 }),
    ];
    const test = budgetsOf({ budgets });
    expect(await test.budgets.remaining(signedIn('ann'))).toEqual({
      remaining: 1_000,
      unit: 'tokens',
      resetsAt: '2026-11-25T11:00:00.000Z',
    });
    const { say } = speaker({ model: fakeModel({ text: 'Hi', usage }), spending: () => test.spending });
    await say();
    expect(await test.budgets.remaining(signedIn('bob'))).toEqual({
      remaining: 10,
      unit: 'tokens',
      resetsAt: '2026-11-25T00:00:00.000Z',
    });
  });

  // proves configuration-2-74
  it('is undefined without a budget that refuses', async () => {
    expect(await budgetsOf({ budgets: [] }).budgets.remaining(signedIn('ann'))).toBeUndefined();
    const downgrading = budgetsOf({ budgets: [budget({ then: 'downgrade' })] });
    expect(await downgrading.budgets.remaining(signedIn('ann'))).toBeUndefined();
  });
});
