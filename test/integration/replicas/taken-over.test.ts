import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HourBook } from '../../../src/adapters/hourly-metrics/hour-book.ts';
import { WebhookDeliveries } from '../../../src/adapters/webhooks/webhook-deliveries.ts';
import { WebhookSender } from '../../../src/adapters/webhooks/webhook-sender.ts';
import { SharedJournalRecovery } from '../../../src/app/replicas/shared-journal-recovery.ts';
import { Tasks } from '../../../src/channels/a2a/tasks.ts';
import { emptyMessage } from '../../../src/channels/a2a/read-sent.ts';
import { openTaskStates } from '../../../src/channels/a2a/open-task-states.ts';
import { Budgets, type MostOfCall } from '../../../src/core/budgets/budgets.ts';
import { SharedAccounts } from '../../../src/core/budgets/shared-accounts.ts';
import { Classifier } from '../../../src/core/classifier/classifier.ts';
import { FactCapture } from '../../../src/core/memory/fact-capture.ts';
import { KeptTasks } from '../../../src/core/tasks/kept-tasks.ts';
import { callbackSecret, json, startCallback } from '../../support/callback-receiver.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';
import { fakeModel } from '../../support/fake-model.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { signedIn } from '../../support/principals.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import { beating, openReplica, type ReplicaStores, sharedOf, silent } from '../../support/replicas/replica-stores.ts';
import { testAssistant } from '../../support/test-assistant.ts';
import { budget } from '../../support/test-budgets.ts';
import { testRecordSealer } from '../../support/test-sealer.ts';
import { rankingByWords } from '../../unit/core/memory/facts.ts';

const newDatabase = databasesOfRun();
const log = recordingLogger();
const clock = { now: () => Date.now(), elapsed: () => performance.now() };
const never = new Promise<never>(() => undefined);

describe.skipIf(!hasPostgres)('a call without a turn on replicas (contract/replicas.md#left-behind)', () => {
  /** The core of a replica with one action, which runs until it is told to return. */
  function directOf({ journal, turns }: ReplicaStores) {
    const returned = Promise.withResolvers<undefined>();
    const tool = fakeTool({
      execute: async () => {
        await returned.promise;
        return { value: { paid: true } };
      },
    });
    const { direct } = testAssistant({ model: fakeModel(), toolList: [tool], journal, turns }).assistant;
    const principal = signedIn('ann');
    const call = async (question?: string) => {
      const asked = { name: 'close_case', argumentsValue: { amount: 1 }, signal: new AbortController().signal };
      const rest = { progress: () => undefined, ...(question === undefined ? {} : { question }) };
      const caller = { channel: 'mcp', principal, counted: principal, canConfirm: true, credential: 'a' } as const;
      const outcome = await direct.call({ ...asked, ...rest }, caller);
      if (outcome === undefined) throw new Error('the action is not offered');
      return outcome;
    };
    const approve = async (actionId: string): Promise<void> => {
      const visitor = { principal, credential: 'of the browser' };
      const { proof = '' } = await direct.questions.read(actionId, visitor);
      await direct.questions.answer({ actionId, approved: true, proof, presenter: 'ann', requestId: 'r' }, visitor);
    };
    const recovery = new SharedJournalRecovery(sharedOf(journal.shared), {
      ...{ clock, log },
      interrupted: (rows) => {
        direct.interrupted(rows);
      },
    });
    return { call, approve, recovery, finish: () => returned.resolve(undefined) };
  }

  // proves configuration-5-82
  it('tells what its row says when the replica was taken for dead meanwhile, and so does every replica', async () => {
    const storage = await newDatabase();
    const [frozen, living, other] = await Promise.all([
      openReplica(storage, silent),
      openReplica(storage, beating),
      openReplica(storage, beating),
    ]);
    const first = directOf(frozen);
    const asked = await first.call();
    if (!('question' in asked)) throw new Error('nobody was asked');
    const { actionId } = asked.question;
    await first.approve(actionId);
    const running = first.call(actionId);
    await vi.waitFor(async () => expect(await frozen.journal.find(actionId)).toMatchObject({ state: 'executing' }));
    const [second, third] = [directOf(living), directOf(other)];
    await vi.waitFor(async () => {
      await second.recovery.run();
      expect(await living.journal.find(actionId)).toMatchObject({ outcome: 'unknown' });
    });
    await third.recovery.run();
    first.finish();
    expect(await running).toMatchObject({ status: 'unknown' });
    for (const { call, recovery } of [second, third]) {
      expect(await call()).toMatchObject({ status: 'unknown' });
      await recovery.run();
      // It may have run, so nobody is asked for it anew.
      expect(await call()).toMatchObject({ status: 'unknown' });
    }
  });
});

describe.skipIf(!hasPostgres)('budgets that replicas spend together (contract/replicas.md#left-behind)', () => {
  const most: MostOfCall = { asked: { tokens: 10, cost: 0 } };
  const spender = { userKey: 'id:ann', roles: new Set<string>(), tenant: undefined, conversationId: 'c' };
  const { signal } = new AbortController();

  function budgetsOf({ budgets: store }: ReplicaStores): Budgets {
    const accounts = new SharedAccounts({ store, log });
    onTestFinished(() => accounts.close());
    const mark = (text: string): string => `mark of ${text}`;
    const budgets = new Budgets({ store: accounts, mark, clock, metrics: recordingMetrics(), lookAgainMs: 20 });
    budgets.take([budget({ limit: 100 })]);
    return budgets;
  }

  // proves configuration-5-83
  it('are not spent by each of them: the calls of all side by side take what there is', async () => {
    const storage = await newDatabase();
    const replicas = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    const spent = replicas.map(async (replica) => {
      const budgets = budgetsOf(replica);
      let calls = 0;
      for (;;) {
        const admission = await budgets.hold(spender, most, signal);
        if (!('held' in admission)) return { calls, usedUp: 'usedUp' in admission };
        calls += 1;
        await budgets.settle(admission.held, { tokens: 10, cost: 0 });
      }
    });
    const ends = await Promise.all(spent);
    expect(ends.every(({ usedUp }) => usedUp)).toBe(true);
    expect(ends.reduce((sum, { calls }) => sum + calls, 0)).toBe(10);
  });

  // proves configuration-5-83
  it('that another replica holds are waited for', async () => {
    const storage = await newDatabase();
    const [one, other] = (await Promise.all([openReplica(storage), openReplica(storage)])).map(budgetsOf);
    const first = await one?.hold(spender, { asked: { tokens: 100, cost: 0 } }, signal);
    if (first === undefined || !('held' in first)) throw new Error('nothing was held');
    const waiting = other?.hold(spender, most, signal);
    await one?.settle(first.held, { tokens: 1, cost: 0 });
    expect(await waiting).toMatchObject({ held: { by: 'asked' } });
  });

  // proves configuration-5-83
  it('count what was spent once the storage takes it again', async () => {
    const storage = await newDatabase();
    const { budgets: store } = await openReplica(storage);
    const accounts = new SharedAccounts({ store, log: recordingLogger() });
    const hold = { account: 'ann', amount: 50, below: 100, endsAt: Date.now() + 60_000 };
    const failing = vi.spyOn(store, 'settle').mockRejectedValue(new Error('away'));
    expect(await accounts.hold('call', [hold], Date.now())).toBe(true);
    await accounts.settle('call', [{ account: 'ann', amount: 5 }]);
    const unsure = vi.spyOn(store, 'hold').mockImplementationOnce(async (...given) => {
      unsure.mockRestore();
      await store.hold(...given);
      throw new Error('nobody knows whether that was made');
    });
    await expect(accounts.hold('unsure', [hold], Date.now())).rejects.toThrow('nobody knows');
    expect(await accounts.uses(['ann'], Date.now())).toMatchObject([{ spent: 0, held: 100 }]);
    failing.mockRestore();
    await accounts.close();
    expect(await accounts.uses(['ann'], Date.now())).toMatchObject([{ spent: 5, held: 0 }]);
  });
});

describe.skipIf(!hasPostgres)('what a dead replica has left to do (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-84
  it('is looked through for facts once, by one replica', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    const said = { turnId: 't', conversationId: 'c', userKey: 'id:ann', words: 'I have a dog.', askedAt: 1 };
    const dog = JSON.stringify({ add: [{ kind: 'fact', text: 'Has a dog.' }] });
    const captures = [dead, one, other].map(({ memory: store }, index) => {
      const model = fakeModel(index === 0 ? { until: never } : { text: dog });
      const metrics = recordingMetrics();
      const services = { store, ranking: () => rankingByWords, clock, log, metrics };
      return { model, capture: new FactCapture({ ...services, classifier: () => new Classifier(model) }) };
    });
    onTestFinished(async () => {
      for (const { capture } of captures) await capture.close();
    });
    const takeUp = async (): Promise<void> => {
      await Promise.all(captures.slice(1).flatMap(({ capture }) => [capture.takeUp(), capture.takeUp()]));
    };
    await captures[0]?.capture.keep(said);
    await takeUp();
    await dead.end();
    await takeUp();
    await vi.waitFor(async () => expect(await one.memory.facts('id:ann')).toMatchObject([{ text: 'Has a dog.' }]));
    await takeUp();
    expect(captures.slice(1).flatMap(({ model }) => model.requests)).toHaveLength(1);
  });

  it('is claimed by one replica, however closely another one follows', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    const said = { turnId: 't', conversationId: 'c', userKey: 'id:ann', words: 'I have a dog.', askedAt: 1 };
    await dead.memory.pend(said);
    await dead.end();
    const [first, watcher] = [new Client(storage.url), new Client(storage.url)];
    await Promise.all([first.connect(), watcher.connect()]);
    onTestFinished(() => Promise.all([first.end(), watcher.end()]).then(() => undefined));
    await first.query('begin');
    await first.query('update memory_capture set replica = $1', [one.replica]);
    const claimed = sharedOf(other.memory.captures).claim('t');
    await vi.waitFor(async () => {
      const waiting = await watcher.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(waiting.rows).toHaveLength(1);
    });
    await first.query('commit');
    expect(await claimed).toBe(false);
  });

  // proves configuration-5-86
  it('is told to webhooks: no delivery by two replicas at once, and that of a dead one again', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    const hook = await startCallback({});
    hook.answer = (response, call) => {
      setTimeout(() => json({})(response, call), 20);
    };
    const content = JSON.stringify({ url: hook.url, endedAt: 0, data: {} });
    const end = async (turnId: string): Promise<void> => {
      const lines = { first: 0, count: 1, text: 'x' };
      await dead.turns.create({ turnId, header: 'h', lines }, 1);
      const delivery = { owner: 'id:ann', host: turnId, dueAt: 1, content };
      await dead.turns.end({ turnId, epoch: 1 }, { ...lines, first: 1 }, { forgetAt: 9, delivery });
    };
    await Promise.all(Array.from({ length: 15 }, (_, index) => end(`turn ${String(index)}`)));
    await end('of the dead');
    const [begun] = await dead.deliveries.due(2, 1, {
      hosts: [],
      turns: Array.from({ length: 15 }, (_, i) => `turn ${String(i)}`),
    });
    if (begun === undefined) throw new Error('nothing is due');
    expect(await sharedOf(dead.deliveries.shared).claim(begun)).toBe(true);
    const making = [one, other].map(({ deliveries: store }) => {
      const rest = { sealer: { open: (text: string) => text }, fault: () => undefined, clock, log };
      return new WebhookDeliveries({ ...rest, store, sender: new WebhookSender(callbackSecret) });
    });
    onTestFinished(async () => {
      for (const deliveries of making) await deliveries.close();
    });
    for (const deliveries of making) deliveries.wake();
    await vi.waitFor(() => expect(hook.posts()).toHaveLength(15));
    await dead.end();
    await vi.waitFor(() => {
      for (const deliveries of making) deliveries.wake();
      expect(hook.posts()).toHaveLength(16);
    });
    const told = hook.posts().map(({ headers }) => headers['webhook-id']);
    expect(new Set(told).size).toBe(16);
    await vi.waitFor(async () => expect(await one.deliveries.next(0)).toBeUndefined());
    // What the dead replica would still say of its attempt changes nothing.
    await dead.deliveries.postpone('of the dead', 5).catch(() => undefined);
    expect(await one.deliveries.next(0)).toBeUndefined();
  });

  // proves configuration-5-85
  it('is a task of another agent: it is left alone while its replica lives, and fails once that is dead', async () => {
    const storage = await newDatabase();
    const [first, second] = await Promise.all([openReplica(storage), openReplica(storage)]);
    const tasksOf = ({ tasks: store, journal, turns }: ReplicaStores): Tasks => {
      const kept = new KeptTasks({ store, sealer: testRecordSealer(), clock, log, open: openTaskStates });
      const { assistant } = testAssistant({ model: fakeModel({ until: never }), journal, turns });
      return new Tasks({
        assistant,
        kept,
        clock,
        log,
        interrupted: () => 'It was interrupted.',
        askingText: () => '',
        doneBelow: () => '',
      });
    };
    const [running, reading] = [tasksOf(first), tasksOf(second)];
    const caller = { principal: signedIn('ann'), authorization: undefined, credential: undefined, address: 'a' };
    const rest = { traceparent: undefined, gone: new AbortController().signal, isReadWhole: true };
    const sent = { text: 'Hello', attachments: [], message: emptyMessage, contextId: undefined, taskId: undefined };
    const { id } = await running.begin(
      { ...sent, isImmediate: true, historyLength: undefined },
      { ...caller, ...rest },
    );
    await reading.recover();
    expect(await reading.find(id, caller)).toMatchObject({ later: { id } });
    await first.end();
    expect(await reading.find(id, caller)).toMatchObject({ over: { id, status: { message: { parts: [{}] } } } });
  });
});

describe.skipIf(!hasPostgres)('figures that replicas count (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-87
  it('are the sum of what all replicas have stored, and of what this one has not stored yet', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([openReplica(storage), openReplica(storage)]);
    const hour = 1_000 * 3_600_000;
    const bookOf = ({ metrics }: ReplicaStores): HourBook => new HourBook(metrics, () => hour + 1);
    const [first, second] = [bookOf(one), bookOf(other)];
    const read = async (book: HourBook) => {
      const [hours, steps] = [await book.read(hour, hour + 1), await book.readSteps(hour, hour + 1)];
      expect(steps.get(hour)).toEqual(hours.get(hour));
      return Object.fromEntries(hours.get(hour) ?? []);
    };
    first.add('turns|sse', 5);
    first.raise('peak|hub', 3);
    second.add('turns|sse', 1);
    second.raise('peak|hub', 2);
    expect(await read(second)).toEqual({ 'turns|sse': 1, 'peak|hub': 2 });
    await first.save();
    expect(await read(second)).toEqual({ 'turns|sse': 6, 'peak|hub': 3 });
    await second.save();
    first.add('turns|sse', 10);
    expect(await read(first)).toEqual({ 'turns|sse': 16, 'peak|hub': 3 });
    await first.save();
    await first.save();
    for (const book of [first, second, bookOf(one)]) {
      expect(await read(book)).toEqual({ 'turns|sse': 16, 'peak|hub': 3 });
    }
  });
});
