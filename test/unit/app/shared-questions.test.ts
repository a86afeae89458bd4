import { describe, expect, it } from 'vitest';
import { SharedQuestions } from '../../../src/app/shared-questions.ts';
import type { Embedded, EmbedRequest } from '../../../src/core/ports/embedder.ts';

const given: readonly Embedded[] = [{ vector: new Float32Array([1]) }];

function asking(answers: readonly (() => Promise<readonly Embedded[]>)[]) {
  const questions = new SharedQuestions();
  let calls = 0;
  const ask = (text: string, signal = new AbortController().signal) => {
    const request: EmbedRequest = { texts: [text], purpose: 'question', signal };
    return questions.ask(request, () => answers[calls++]?.() ?? Promise.resolve(given));
  };
  return { ask, calls: () => calls };
}

describe('the vector of a question that two parts of a turn want (contract/memory.md#prompt)', () => {
  // proves service-2.10-31
  it('is asked for once', async () => {
    const { ask, calls } = asking([]);
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([given, given]);
    expect(await ask('a')).toBe(given);
    await ask('b');
    expect(calls()).toBe(2);
  });

  it('still comes to one when the other gives up', async () => {
    const answer = Promise.withResolvers<readonly Embedded[]>();
    const { ask, calls } = asking([() => answer.promise]);
    const stop = new AbortController();
    const [first, second] = [ask('a', stop.signal), ask('a')];
    stop.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    answer.resolve(given);
    expect(await second).toBe(given);
    expect(calls()).toBe(1);
  });

  it('is asked for again after a fault', async () => {
    const { ask, calls } = asking([() => Promise.reject(new Error('away')), () => Promise.resolve([{ fault: 'no' }])]);
    await expect(ask('a')).rejects.toThrow('away');
    expect(await ask('a')).toEqual([{ fault: 'no' }]);
    expect(await ask('a')).toBe(given);
    expect(calls()).toBe(3);
  });

  it('is kept for the last 50 questions', async () => {
    const { ask, calls } = asking([]);
    for (let index = 0; index <= 50; index += 1) await ask(String(index));
    await ask('50');
    expect(calls()).toBe(51);
    await ask('0');
    expect(calls()).toBe(52);
  });
});
