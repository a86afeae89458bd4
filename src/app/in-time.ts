import { waitAtMost } from '../adapters/plugin-directory/wait-at-most.ts';

/** Milliseconds a hook may take. It has no signal, and nothing may wait for ever. */
const hookTimeoutMs = 30_000;

/** Wraps a hook so that it rejects when it takes too long, as if the hook had thrown. */
export function inTime<Given extends readonly unknown[], Outcome>(
  hook: (...given: Given) => Outcome | Promise<Outcome>,
): (...given: Given) => Promise<Outcome> {
  const late = `it did not answer within ${String(hookTimeoutMs)} ms`;
  return async (...given) => waitAtMost(Promise.resolve(hook(...given)), hookTimeoutMs, late);
}
