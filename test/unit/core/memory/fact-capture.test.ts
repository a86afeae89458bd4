import { afterEach, describe, expect, it, vi } from 'vitest';
import { InMemoryMemoryStore } from '../../../../src/adapters/stores/in-memory/in-memory-memory-store.ts';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { FactCapture } from '../../../../src/core/memory/fact-capture.ts';
import { ModelError } from '../../../../src/core/ports/chat-model.ts';
import type { MemoryStore } from '../../../../src/core/ports/memory-store.ts';
import { type FakeModel, fakeModel } from '../../../support/fake-model.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';
import { rankingByWords } from './facts.ts';

const ann = 'sub:ann';
const said = (turnId: string, userKey = ann) => ({
  ...{ turnId, userKey, conversationId: 'c' },
  ...{ words: 'I have a dog.', askedAt: 1_000 },
});
const dog = JSON.stringify({ add: [{ kind: 'fact', text: 'Has a dog.' }] });
const failure = new ModelError('model_unavailable', 'away', { transient: true });

function capturing(model: FakeModel, store: MemoryStore = new InMemoryMemoryStore(), isOn = true) {
  const [log, metrics] = [recordingLogger(), recordingMetrics()];
  const clock = { now: () => 5_000, elapsed: () => 5_000 };
  const capture = new FactCapture({
    store,
    classifier: () => new Classifier(model),
    ranking: () => rankingByWords,
    clock,
    log,
    metrics,
    isOn: () => isOn,
  });
  const outcomes = () => metrics.counted.map(({ value }) => value);
  return { capture, store, log, outcomes };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the memory after a turn (contract/memory.md#capture)', () => {
  it('is written beside the turn, and what was said is kept first', async () => {
    const answer = Promise.withResolvers<undefined>();
    const { capture, store, outcomes } = capturing(fakeModel({ text: dog, until: answer.promise }));
    await capture.keep(said('one'));
    expect([await store.isPending('one'), await store.facts(ann)]).toEqual([true, []]);
    answer.resolve(undefined);
    await vi.waitFor(() => expect(outcomes()).toEqual(['changed']));
    expect(await store.facts(ann)).toMatchObject([{ text: 'Has a dog.', turnId: 'one' }]);
    expect(await store.isPending('one')).toBe(false);
  });

  it('looks at one message of a user after the other, and at each once', async () => {
    const model = fakeModel({ text: dog });
    const { capture, store, outcomes } = capturing(model);
    await Promise.all(['one', 'two', 'one'].map((turnId) => capture.keep(said(turnId))));
    await vi.waitFor(() => expect(outcomes()).toEqual(['changed', 'nothing']));
    expect(model.requests[1]?.messages[0]?.text).toContain('Has a dog.');
    expect(await store.facts(ann)).toHaveLength(1);
  });

  // proves service-2.10-02, service-2.10-14
  it('is tried three times while the model fails, a minute and more apart, never fails its turn, and waits for the next start', async () => {
    vi.useFakeTimers();
    const { capture, store, log, outcomes } = capturing(fakeModel({ fails: failure }));
    await capture.keep(said('one'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(outcomes()).toEqual(['failed']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(outcomes()).toEqual(['failed', 'failed']);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(outcomes()).toEqual(['failed', 'failed', 'failed']);
    expect(JSON.stringify(log.lines)).not.toContain('dog');
    expect(await store.isPending('one')).toBe(true);
    const next = capturing(fakeModel({ text: dog }), store);
    await next.capture.takeUp();
    await vi.waitFor(() => expect(next.outcomes()).toEqual(['changed']));
    expect(await store.isPending('one')).toBe(false);
  });

  // proves service-2.10-21
  it('takes nothing from a message once its user has erased what is remembered', async () => {
    const answer = Promise.withResolvers<undefined>();
    const { capture, store, outcomes } = capturing(fakeModel({ text: dog, until: answer.promise }));
    await capture.keep(said('one'));
    await store.erase(ann, undefined, 2_000);
    answer.resolve(undefined);
    await vi.waitFor(() => expect(outcomes()).toEqual(['nothing']));
    expect(await store.facts(ann)).toEqual([]);
  });

  // proves service-2.10-12
  it('is not waited for longer than 2 s, whatever the storage does', async () => {
    vi.useFakeTimers();
    const store = new InMemoryMemoryStore();
    vi.spyOn(store, 'pend').mockReturnValue(new Promise(() => undefined));
    const kept = capturing(fakeModel({ text: dog }), store).capture.keep(said('one'));
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(kept).resolves.toBeUndefined();
  });

  /** A store that takes nothing until it is mended. */
  function failingStore() {
    const store = new InMemoryMemoryStore();
    const pend = vi.spyOn(store, 'pend').mockRejectedValue(new Error('disk full'));
    const mend = (): void => {
      pend.mockRestore();
    };
    return { store, mend };
  }

  // proves service-2.10-12, service-2.10-82
  it('does not fail a turn when the storage fails, and is tried again until that works', async () => {
    vi.useFakeTimers();
    const { store, mend } = failingStore();
    const { capture, outcomes, log } = capturing(fakeModel({ text: dog }), store);
    const turns = ['one', 'two', 'three'];
    await Promise.all(turns.map((turnId) => capture.keep(said(turnId))));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(outcomes()).toEqual([]);
    mend();
    await vi.advanceTimersByTimeAsync(3_000);
    await vi.waitFor(() => expect(outcomes()).toHaveLength(3));
    expect(await store.facts(ann)).toMatchObject([{ text: 'Has a dog.' }]);
    expect(log.lines.filter(({ message }) => message.includes('not be kept'))).toHaveLength(turns.length);
    expect(JSON.stringify(log.lines)).not.toContain('dog');
  });

  // proves service-2.10-82
  it('knows what the storage has taken although its answer was lost', async () => {
    vi.useFakeTimers();
    const store = new InMemoryMemoryStore();
    const pend = store.pend.bind(store);
    vi.spyOn(store, 'pend').mockImplementationOnce(async (...given) => {
      await pend(...given);
      throw new Error('the line was cut');
    });
    const { capture, outcomes } = capturing(fakeModel({ text: dog }), store);
    await capture.keep(said('one'));
    await vi.advanceTimersByTimeAsync(3_000);
    await vi.waitFor(() => expect(outcomes()).toEqual(['changed']));
    expect(await store.facts(ann)).toHaveLength(1);
  });

  // proves service-2.10-82
  it('gives what is left to a storage that works again as the process ends', async () => {
    vi.useFakeTimers();
    const { store, mend } = failingStore();
    const { capture, outcomes } = capturing(fakeModel({ text: dog }), store);
    await capture.keep(said('one'));
    mend();
    await capture.close();
    expect([await store.isPending('one'), outcomes()]).toEqual([true, []]);
  });

  // proves service-2.10-82
  it('says what is lost when the process ends while the storage fails, and when a user says too much meanwhile', async () => {
    vi.useFakeTimers();
    const { store } = failingStore();
    const { capture, outcomes, log } = capturing(fakeModel({ text: dog }), store);
    for (let turn = 0; turn < 22; turn += 1) await capture.keep(said(String(turn)));
    expect(outcomes()).toEqual(['dropped', 'dropped']);
    await capture.keep(said('of another', 'sub:bob'));
    await capture.close();
    expect(outcomes()).toHaveLength(23);
    expect(log.lines.at(-1)).toMatchObject({ fields: { turnId: 'of another' } });
  });

  // proves service-2.10-82
  it('keeps nothing later of a user who is erased meanwhile, or once it is off', async () => {
    vi.useFakeTimers();
    const failing = failingStore();
    const { capture } = capturing(fakeModel({ text: dog }), failing.store);
    await capture.keep(said('one'));
    await capture.keep(said('two', 'sub:bob'));
    await capture.forget(ann);
    const off = failingStore();
    const isOff = capturing(fakeModel({ text: dog }), off.store, false);
    await isOff.capture.keep(said('three'));
    for (const { mend } of [failing, off]) mend();
    await vi.advanceTimersByTimeAsync(10_000);
    await capture.close();
    await isOff.capture.close();
    const kept = [failing.store, failing.store, off.store].map((store, index) =>
      store.facts(index === 1 ? 'sub:bob' : ann),
    );
    expect((await Promise.all(kept)).map(({ length }) => length)).toEqual([0, 1, 0]);
    expect(await off.store.isPending('three')).toBe(false);
  });

  it('drops what waits once it is off', async () => {
    const store = new InMemoryMemoryStore();
    await store.pend(said('one'));
    const model = fakeModel({ text: dog });
    const { capture, outcomes } = capturing(model, store, false);
    await capture.takeUp();
    await vi.waitFor(() => expect(outcomes()).toEqual(['nothing']));
    expect([await store.isPending('one'), await store.facts(ann), model.requests]).toEqual([false, [], []]);
  });

  it('lets no user keep the others waiting: what is too much of one is left to the next start', async () => {
    const { capture, store, log } = capturing(fakeModel({ until: new Promise(() => undefined) }));
    for (let turn = 0; turn < 25; turn += 1) await capture.keep(said(String(turn)));
    expect(log.lines).toHaveLength(4);
    expect(await store.isPending('24')).toBe(true);
    await capture.keep(said('hers', 'sub:bob'));
    expect(log.lines).toHaveLength(4);
  });

  it('ends with its process, and leaves what it has not looked at', async () => {
    const { capture, store, outcomes } = capturing(fakeModel({ until: new Promise(() => undefined) }));
    await capture.keep(said('one'));
    await capture.close();
    await capture.keep(said('two'));
    expect(outcomes()).toEqual([]);
    const next = capturing(fakeModel({ text: dog }), store);
    await next.capture.takeUp();
    await vi.waitFor(() => expect(next.outcomes()).toEqual(['changed', 'nothing']));
  });
});
