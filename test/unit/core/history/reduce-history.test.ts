import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceHistory } from '../../../../src/core/history/reduce-history.ts';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import type { ChatReducer } from '../../../../src/core/ports/chat-reducer.ts';
import { anyHistory, orphans, turnOf } from '../../../support/histories.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const history: readonly ChatMessage[] = [...turnOf(1, [[1, 1]]), ...turnOf(1, [])];

async function reduced(
  reduce: ChatReducer['reduce'],
  { given = history, timeoutMs = 5000, signal = new AbortController().signal } = {},
) {
  const log = recordingLogger();
  const reducer = { name: 'mine', timeoutMs, reduce };
  const kept = await reduceHistory(given, { reducer, otherwiseFrom: 5, signal, log });
  return { kept, reasons: log.lines.map(({ level, fields }) => [level, String(Object.entries(fields)[1]?.[1])]) };
}

describe('reduceHistory (contract/sessions.md#a-reducer-of-your-own)', () => {
  // proves service-2.9-42
  it('follows exactly the choices that a model can be sent', async () => {
    const choice = anyHistory.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.array(fc.integer({ min: -1, max: given.length }), { maxLength: given.length + 1 }),
      ),
    );
    const subset = anyHistory.chain((given) => fc.tuple(fc.constant(given), fc.subarray([...given.keys()])));
    await fc.assert(
      fc.asyncProperty(fc.oneof(choice, subset), async ([given, indexes]) => {
        const { kept, reasons } = await reduced(() => Promise.resolve(indexes), { given });
        const messages = indexes.map((index) => given[index]);
        const present = messages.filter((message) => message !== undefined);
        const isSound =
          present.length === messages.length &&
          indexes.every((index, place) => place === 0 || index > (indexes[place - 1] ?? -1)) &&
          (present.length === 0 || present[0]?.role === 'user') &&
          orphans(present).length === 0;
        expect(kept).toEqual(isSound ? indexes : [...given.keys()].slice(5));
        expect(reasons).toHaveLength(isSound ? 0 : 1);
      }),
    );
  });

  it.each<[string, readonly number[], string]>([
    ['an invented message', [0, -1], 'it gave a message that it was not given'],
    ['a message twice', [0, 0], 'it changed the order of messages, or gave one twice'],
    ['another order', [5, 0], 'it changed the order of messages, or gave one twice'],
    ['a beginning without the user', [4], 'the first message is none of the user'],
    ['a call without one of its results', [0, 1, 2, 4], 'it parted a call from its result'],
    ['a result without its call', [0, 2, 3, 4], 'it parted a call from its result'],
  ])('does not follow %s, and says why', async (_what, indexes, reason) => {
    expect(await reduced(() => Promise.resolve(indexes))).toEqual({ kept: [5, 6], reasons: [['warn', reason]] });
  });

  // proves service-2.9-43
  it('does not follow a reducer that throws', async () => {
    const { kept, reasons } = await reduced(() => Promise.reject(new Error('fell')));
    expect({ kept, reasons }).toEqual({ kept: [5, 6], reasons: [['warn', 'Error: fell']] });
  });

  // proves service-2.9-41
  it('does not follow a reducer that takes too long', async () => {
    const { kept, reasons } = await reduced(() => new Promise(() => undefined), { timeoutMs: 5 });
    expect({ kept, reasons }).toEqual({ kept: [5, 6], reasons: [['warn', 'no answer within 5 ms']] });
  });

  // proves service-2.9-41
  it('ends with a Stop, of which the reducer is told', async () => {
    const stop = new AbortController();
    let told: AbortSignal | undefined;
    const waiting = reduced(
      (_messages, signal) => {
        told = signal;
        return new Promise(() => undefined);
      },
      { signal: stop.signal },
    );
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(told?.aborted).toBe(true);
  });
});
