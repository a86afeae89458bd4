import { afterEach, describe, expect, it, vi } from 'vitest';
import { readMemoryStore } from '../../../../src/adapters/plugin-directory/read/read-memory-store.ts';
import { InMemoryMemoryStore } from '../../../../src/adapters/stores/in-memory/in-memory-memory-store.ts';
import { KeptMemory } from '../../../../src/core/memory/kept-memory.ts';
import { fact } from './facts.ts';

const ann = 'sub:ann';

/** A plugin's memory whose store never answers in one function, and the signals that this function was given. */
function hangingIn(name: 'list' | 'save' | 'remove') {
  const signals: AbortSignal[] = [];
  const never = (...given: readonly unknown[]): Promise<never> => {
    // The last parameter is `{ signal }` (contract/memory.md#storage).
    signals.push((given.at(-1) as { readonly signal: AbortSignal }).signal);
    return new Promise(() => undefined);
  };
  const answering = { list: () => [fact('Has a dog.')], save: () => undefined, remove: () => undefined };
  const keeper = readMemoryStore({ memoryStore: { ...answering, [name]: never } }, 'odd', () => undefined);
  if (keeper === undefined) throw new Error('the store was not read');
  return { memory: new KeptMemory(keeper, new InMemoryMemoryStore()), signals };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the memoryStore of a plugin that does not answer (contract/memory.md#storage)', () => {
  // proves service-2.10-26
  it.each<['list' | 'save' | 'remove', (memory: KeptMemory) => Promise<unknown>]>([
    ['list', (memory) => memory.facts(ann)],
    ['save', (memory) => memory.correct(ann, { id: fact('Has a dog.').id, text: 'Has two dogs.' }, 2)],
    ['remove', (memory) => memory.erase(ann, undefined, 2)],
  ])('is a memory that fails after 3 s in %s', async (name, ask) => {
    // Fake timers do not affect `AbortSignal.timeout`. The test therefore replaces it and ends its time itself.
    const limits: { readonly ms: number; readonly limit: AbortController }[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      limits.push({ ms, limit });
      return limit.signal;
    });
    const { memory, signals } = hangingIn(name);
    const asked = ask(memory);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    expect(new Set(limits.map(({ ms }) => ms))).toEqual(new Set([3_000]));
    limits.at(-1)?.limit.abort(new Error('too late'));
    await expect(asked).rejects.toThrow('too late');
    expect(signals[0]?.aborted).toBe(true);
  });
});
