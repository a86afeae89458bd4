import { describe, expect, it } from 'vitest';
import { withPipeline } from '../../../../src/adapters/models/pipeline/with-pipeline.ts';
import type { ChatModel } from '../../../../src/core/ports/chat-model.ts';
import type { PipelineModel, PipelineReply } from '../../../../src/plugin-api/pipeline.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { signedIn } from '../../../support/principals.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';
import { bounds, budget, testBudgets, type TestBudgetsOptions } from '../../../support/test-budgets.ts';

const now = Date.UTC(2026, 10, 24, 11);
const usage = { inputTokens: 30, outputTokens: 10 };

function budgetsOf(options: Partial<TestBudgetsOptions> = {}) {
  return testBudgets({ budgets: [budget()], now: () => now, ...options });
}

/** Sends one message to the model, and waits for the end of its turn. */
async function answer(model: ChatModel, test: ReturnType<typeof testBudgets>): Promise<void> {
  const { assistant } = testAssistant({ now: () => now, model, spending: () => test.spending });
  const session = assistant.openSession({ channel: 'hub', principal: signedIn('ann') });
  await readTurn(session.startNow({ text: 'Hello' })).ended;
}

function usesOf({ store }: ReturnType<typeof testBudgets>, unit: 'tokens' | 'cost') {
  return store.uses([JSON.stringify(['user', '', unit, 86_400_000, '', 'mark of id:ann'])], now);
}

describe('what plugins do around the model (contract/limits.md#budgets)', () => {
  type Run = PipelineModel['run'];
  const own: PipelineReply = {
    text: 'Mine.',
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    model: 'own',
    finish: 'stop',
  };
  const quiet = { text: () => undefined };

  // proves configuration-2-79, configuration-2-80
  it.each<[string, (model: PipelineModel) => Run, number]>([
    [
      'all calls where a layer asks twice',
      (model) => async (given, sink) => {
        await model.run(given, quiet);
        return model.run(given, sink);
      },
      80,
    ],
    [
      'what the model took, whatever the layer states',
      (model) => async (given, sink) => {
        await model.run(given, sink);
        return own;
      },
      40,
    ],
    [
      'what a layer took from a model of its own, which it states beside the rest',
      (model) => async (given, sink) => {
        const { usage: taken } = await model.run(given, quiet);
        sink.text('Hi');
        return { ...own, usage: { inputTokens: taken.inputTokens + 7, outputTokens: taken.outputTokens + 3 } };
      },
      50,
    ],
    [
      'what the model took where the layer fails afterwards',
      (model) => async (given) => {
        await model.run(given, quiet);
        throw new Error('no licence');
      },
      40,
    ],
    ['nothing of an answer that no model was asked for', () => () => Promise.resolve(own), 0],
    [
      'nothing of a layer that fails without asking',
      () => (_given, sink) => {
        sink.text('Half');
        return Promise.reject(new Error('no licence'));
      },
      0,
    ],
  ])('counts what a layer of a plugin takes: %s', async (_what, run, spent) => {
    const test = budgetsOf();
    const model = await withPipeline(fakeModel({ text: 'Hi', usage }), {
      plugin: 'test',
      maxReplyLength: 1_000,
      includeSensitive: false,
      configure: (beneath) => ({ ...beneath, run: run(beneath) }),
    });
    await answer(model, test);
    expect(await usesOf(test, 'tokens')).toMatchObject([{ spent, held: 0 }]);
  });

  // proves configuration-2-79
  it('counts the input at least of a call that a layer does not wait for', async () => {
    const test = budgetsOf();
    const model = await withPipeline(fakeModel({ until: new Promise(() => undefined) }), {
      plugin: 'test',
      maxReplyLength: 1_000,
      includeSensitive: false,
      configure: (beneath) => ({
        ...beneath,
        run: (given) => {
          beneath.run({ ...given, instructions: 'word '.repeat(40) }, quiet).catch(() => undefined);
          return Promise.resolve(own);
        },
      }),
    });
    await answer(model, test);
    const [use] = await usesOf(test, 'tokens');
    expect(use?.held).toBe(0);
    expect(use?.spent).toBeGreaterThan(40);
  });

  it('counts each call by the price of the model that was asked', async () => {
    const price = (of: number) => ({ inputPer1M: of, outputPer1M: of });
    const dear = bounds({ model: 'dear', price: price(10) });
    const test = budgetsOf({
      budgets: [budget({ unit: 'cost', limit: 1_000_000 })],
      bounds: [dear, bounds({ price: price(1) })],
    });
    await answer(fakeModel({ text: 'Hi', usage }), test);
    // 40 tokens at 1 for a million: 0.00004, in billionths.
    expect(await usesOf(test, 'cost')).toMatchObject([{ spent: 40_000 }]);
  });
});
