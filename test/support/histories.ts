import fc from 'fast-check';
import type { ChatMessage } from '../../src/core/ports/chat-model.ts';

/** One batch of calls, as the length of each result in words. */
type Batch = readonly number[];

let calls = 0;

/** The messages of a turn: the user's message, the batches of calls with their results, and the reply. An open turn has no reply. */
export function turnOf(
  asked: number,
  batches: readonly Batch[],
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): readonly ChatMessage[] {
  return [
    { role: 'user', text: words(asked) },
    ...batches.flatMap((lengths): readonly ChatMessage[] => {
      const ids = lengths.map(() => `call_${String((calls += 1))}`);
      return [
        { role: 'assistant', text: '', toolCalls: ids.map((id) => ({ id, name: 'look_up', arguments: '{}' })) },
        ...lengths.map((length, index): ChatMessage => ({
          role: 'tool',
          callId: ids[index] ?? '',
          name: 'look_up',
          text: `[ok] ${words(length)}`,
          origin: 'web',
        })),
      ];
    }),
    ...(isOpen ? [] : [{ role: 'assistant', text: words(10), toolCalls: [] } satisfies ChatMessage]),
  ];
}

/** A text of `count` words. It has about as many tokens as words. */
export function words(count: number): string {
  return Array.from({ length: count }, () => 'door').join(' ');
}

/** Any conversation of up to eight turns, whose last turn may wait for the model to read results. */
export const anyHistory: fc.Arbitrary<readonly ChatMessage[]> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 8 },
    ),
    fc.boolean(),
  )
  .map(([turns, isOpen]) =>
    turns.flatMap(([asked, batches], index) =>
      turnOf(asked, batches, { isOpen: isOpen && index === turns.length - 1 && batches.length > 0 }),
    ),
  );

/** The ids of calls without a result, and of results without a call before them. */
export function orphans(messages: readonly ChatMessage[]): readonly string[] {
  const open = new Set<string>();
  const lost: string[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls) open.add(id);
    if (message.role === 'tool' && !open.delete(message.callId)) lost.push(message.callId);
  }
  return [...lost, ...open];
}
