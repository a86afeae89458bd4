import type { Logger } from '../core/ports/logger.ts';
import type { TurnServices } from '../core/turn/live/turn-services.ts';
import type { Resource } from './open-resources.ts';

/** Milliseconds for all preparations together. */
const longestMs = 10_000;

/** The parts for which the first message of a user would otherwise wait. */
interface WarmUpParts {
  readonly services: Pick<TurnServices, 'model' | 'instructions' | 'toolbox'>;
  /** Loads the code that compares facts with messages. */
  readonly memory: { warmUp(): Promise<void> };
  readonly log: Logger;
}

/**
 * Prepares in the background what the first message would wait for (`warmUpAtStartup`). A part that fails is logged as a warning, and the
 * first message tries it again. Closing the resource ends the preparation.
 */
export function warmUp({ services, memory, log }: WarmUpParts): Resource {
  const closing = new AbortController();
  const startedAt = performance.now();
  const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(longestMs)]);
  const { model, instructions, toolbox } = services;
  const tools = toolbox().declarations;
  const work = Promise.all([model.warmUp?.({ instructions, tools }, signal), memory.warmUp()]).then(
    () => {
      log.info({ model: model.model, durationMs: Math.round(performance.now() - startedAt) }, 'warmed up');
    },
    (error: unknown) => {
      if (!closing.signal.aborted)
        log.warn({ model: model.model, error }, 'could not be warmed up: the first message waits longer');
    },
  );
  return {
    name: 'warm-up',
    close: () => {
      closing.abort(new Error('the server ends'));
      return work;
    },
  };
}
