import { afterEach, describe, expect, it, vi } from 'vitest';
import { InMemoryMemoryStore } from '../../../../src/adapters/stores/in-memory/in-memory-memory-store.ts';
import { recallFacts } from '../../../../src/core/memory/recall-facts.ts';
import type { Fact } from '../../../../src/core/ports/memory-store.ts';
import { endsAfter } from '../../../support/ends-after.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { fact, rankingByWords } from './facts.ts';

function recalling(
  facts: Promise<readonly Fact[]>,
  { isFiltering = false, signal = new AbortController().signal } = {},
) {
  const store = new InMemoryMemoryStore();
  vi.spyOn(store, 'facts').mockReturnValue(facts);
  const log = recordingLogger();
  const question = { userKey: 'sub:ann', words: 'Where is the harbour?', signal };
  const memory = { store, count: 3, isFiltering, ranking: rankingByWords };
  return { recalled: recallFacts(question, memory, log), log };
}

const facts = ['Newest.', 'Newer.', 'The harbour is closed.', 'Old.'].map((text) => fact(text));
const never = new Promise<never>(() => undefined);

afterEach(() => {
  vi.useRealTimers();
});

describe('the facts that a message is answered with (contract/memory.md#prompt)', () => {
  // proves service-2.10-06
  it('are the newest where nothing is filtered', async () => {
    const texts = (await recalling(Promise.resolve(facts)).recalled).map(({ text }) => text);
    expect(texts).toEqual(['Newest.', 'Newer.', 'The harbour is closed.']);
  });

  it('are those of its words, behind who the user is and what the user prefers', async () => {
    const own = [fact('Likes tea.', { kind: 'preference' }), fact('Is called Ann.', { kind: 'identity' })];
    const { recalled } = recalling(Promise.resolve([...own, ...facts]), { isFiltering: true });
    expect((await recalled).map(({ text }) => text)).toEqual([
      'Is called Ann.',
      'Likes tea.',
      'The harbour is closed.',
    ]);
  });

  // proves service-2.10-08
  it('are none, with a warning, while the memory fails', async () => {
    const { recalled, log } = recalling(Promise.reject(new Error('disk')));
    expect([await recalled, log.lines.map(({ level }) => level)]).toEqual([[], ['warn']]);
  });

  // proves service-2.10-08
  it('are none, with a warning, once the memory has taken 2 s', async () => {
    const logs: ReturnType<typeof recordingLogger>[] = [];
    const recall = () => {
      const { recalled, log } = recalling(never);
      logs.push(log);
      return recalled;
    };
    expect(await endsAfter(2_000, recall)).toEqual([]);
    expect(logs[0]?.lines[0]?.fields).toEqual({ reason: 'no answer within 2000 ms' });
  });

  it('are not waited for once the turn is stopped', async () => {
    const stop = new AbortController();
    const { recalled } = recalling(never, { signal: stop.signal });
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(recalled).rejects.toBe(reason);
  });
});
