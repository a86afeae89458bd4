import { describe, expect, it } from 'vitest';
import { InterruptedReply } from '../../../../src/adapters/models/interrupted-reply.ts';
import { type RetryClock, retryDelay, withRetries } from '../../../../src/adapters/models/with-retries.ts';
import { type ChatModel, ModelError, type ModelReply } from '../../../../src/core/ports/chat-model.ts';
import type { Logger } from '../../../../src/core/ports/logger.ts';
import { modelRequest } from '../../../support/model-requests.ts';

const reply: ModelReply = {
  text: 'ok',
  toolCalls: [],
  usage: { inputTokens: 1, outputTokens: 1 },
  model: 'm',
  finish: 'stop',
};
const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => log,
};
const sink = { text: () => undefined };

/** Fails with these errors in turn, then answers. */
function failing(...errors: readonly Error[]): ChatModel & { calls: number } {
  const model = {
    model: 'm',
    provider: 'p',
    isDemo: false,
    calls: 0,
    close: () => Promise.resolve(),
    run: () => {
      const error = errors[model.calls];
      model.calls += 1;
      return error === undefined ? Promise.resolve(reply) : Promise.reject(error);
    },
  };
  return model;
}

function transient(retryAfterMs?: number): ModelError {
  return new ModelError('model_unavailable', 'busy', { transient: true, retryAfterMs });
}

/** A clock that never waits. `waited` records the requested waits. */
function instantClock(): RetryClock & { waited: number[] } {
  const waited: number[] = [];
  return { waited, random: () => 1, wait: (milliseconds) => Promise.resolve(void waited.push(milliseconds)) };
}

describe('withRetries (contract/models.md)', () => {
  it('waits twice as long each time, and at least what the provider asked for', async () => {
    const clock = instantClock();
    const model = failing(transient(), transient(), transient(5_000));
    await expect(withRetries(model, { maxRetries: 3, log, clock }).run(modelRequest(), sink)).resolves.toBe(reply);
    expect(clock.waited).toEqual([500, 1_000, 5_000]);
  });

  it.each([
    ['0 of a random number is no wait', 3, undefined, 0, 0],
    ['a long row of faults stays below 8 s', 20, undefined, 1, 8_000],
    ['nobody waits longer than 20 s for a Retry-After', 0, 600_000, 0, 20_000],
  ])('%s', (_title, attempt, retryAfterMs, random, expected) => {
    expect(retryDelay(attempt, retryAfterMs, random)).toBe(expected);
  });

  it.each([
    ['the retries are used up', [transient(), transient()], 1, 2],
    ['the fault would come again', [new ModelError('model_unavailable', 'no', { transient: false })], 5, 1],
    ['the first token is out', [new InterruptedReply('model_unavailable', 'cut')], 5, 1],
    ['it is no fault of the model', [new TypeError('bug')], 5, 1],
  ])('gives up when %s', async (_title, errors, maxRetries, calls) => {
    const model = failing(...errors);
    const run = withRetries(model, { maxRetries, log, clock: instantClock() }).run(modelRequest(), sink);
    await expect(run).rejects.toBe(errors.at(-1));
    expect(model.calls).toBe(calls);
  });

  it('ends its wait when it is stopped, with the signal’s reason', async () => {
    const stop = new AbortController();
    const clock: RetryClock = {
      random: () => 1,
      wait: (_milliseconds, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('the timer’s own error'));
          });
          stop.abort(new Error('stopped'));
        }),
    };
    const model = failing(transient());
    const run = withRetries(model, { maxRetries: 2, log, clock }).run(modelRequest({ signal: stop.signal }), sink);
    await expect(run).rejects.toThrow('stopped');
    expect(model.calls).toBe(1);
  });
});
