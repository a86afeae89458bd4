import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { PluginHost } from '../../plugin-api/plugin.ts';
import { describeError } from '../shared/describe-error.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { PluginParts } from './read/read-plugin.ts';
import { placeOfError } from './place-of-error.ts';
import { waitAtMost } from './wait-at-most.ts';

export interface LifecycleOptions {
  readonly host: PluginHost;
  readonly log: Logger;
  /** Milliseconds for `start`. */
  readonly startTimeoutMs: number;
  /** Milliseconds for `stop`. */
  readonly stopTimeoutMs: number;
}

/** Starts and stops a plugin. Both have a time limit, and each failure names the plugin (extending-1-05). */
export function pluginLifecycle(plugin: PluginParts, options: LifecycleOptions): Pick<LoadedPlugin, 'start' | 'stop'> {
  let running = false;
  return {
    async start(): Promise<void> {
      try {
        await waitFor(() => plugin.start?.(options.host), options.startTimeoutMs);
        running = true;
      } catch (error) {
        options.log.debug(failureFields(error), 'plugin failed to start');
        const message = `the plugin failed to start: ${describeError(error)}`;
        const place = placeOfError(error, plugin);
        throw new StartupFaults([{ ...place, path: `${plugin.name}.start`, message }]);
      }
    },
    async stop(): Promise<void> {
      if (!running) return;
      running = false;
      try {
        await waitFor(() => plugin.stop?.(), options.stopTimeoutMs);
      } catch (error) {
        options.log.warn(failureFields(error), 'plugin failed to stop');
      }
    },
  };
}

/** Waits for a function that may be sync or async, throw or reject. */
async function waitFor(work: () => unknown, milliseconds: number): Promise<void> {
  const started = Promise.resolve().then(work);
  await waitAtMost(started, milliseconds, `it did not finish within ${String(milliseconds)} ms`);
}

/** The stack is for the plugin's author, because the fault itself says only what happened. */
function failureFields(error: unknown): object {
  return { reason: describeError(error), stack: error instanceof Error ? error.stack : undefined };
}
