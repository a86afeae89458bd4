import { setTimeout as wait } from 'node:timers/promises';
import { type ChatModel, ModelError } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { around } from './around.ts';
import { givesApproval } from './gives-approval.ts';

const baseDelayMs = 500;
const maxDelayMs = 8_000;
/** The longest wait that a provider can ask for. Providers may ask for minutes, but no user waits that long. */
const maxRetryAfterMs = 20_000;

/** The parts that tests replace. */
export interface RetryClock {
  /** Returns a number from 0 to 1. */
  random(): number;
  wait(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

/** How often to retry, and where to log it. */
interface RetryOptions {
  readonly maxRetries: number;
  readonly log: Logger;
  readonly clock?: RetryClock;
}

const realClock: RetryClock = {
  random: Math.random,
  wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
};

/**
 * Sends a call again after a transient fault, which by contract comes before the first token (contract/models.md):
 * `maxRetries` times, with exponential full-jitter waits, and not sooner than the provider asked.
 */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  return around(model, (request, sink) =>
    givesApproval(request)
      ? model.run(request, sink)
      : retried(() => model.run(request, sink), { ...options, model: model.model, signal: request.signal }),
  );
}

/**
 * Repeats a call after each transient fault, with the waits of `withRetries`.
 * @throws the last fault, or the signal's reason.
 */
export async function retried<Result>(
  call: () => Promise<Result>,
  options: RetryOptions & { readonly model: string; readonly signal: AbortSignal },
): Promise<Result> {
  const { clock = realClock, model, log, signal } = options;
  let last: ModelError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await call();
      // The caller that gives a call up reports its final failure.
      if (last !== undefined)
        log.warn({ ...last.fields, model, retries: attempt, reason: last.message }, 'model call retried');
      return result;
    } catch (error) {
      if (!mayRepeat(error) || attempt >= options.maxRetries) throw error;
      const delayMs = retryDelay(attempt, error.retryAfterMs, clock.random());
      last = error;
      log.debug({ model, attempt: attempt + 1, delayMs, reason: error.message }, 'model call is retried');
      await waitOrStop(clock.wait(delayMs, signal), signal);
    }
  }
}

/** Milliseconds before the attempt after `attempt` (0 is the first). `random` is from 0 to 1. */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const jittered = random * Math.min(maxDelayMs, baseDelayMs * 2 ** attempt);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)));
}

function mayRepeat(error: unknown): error is ModelError {
  return error instanceof ModelError && error.transient;
}

/** A wait that is stopped rejects with the signal's own reason, as every other part of a call does. */
async function waitOrStop(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
