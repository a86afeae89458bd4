import type { HelperServer, ListeningServer } from '../app.ts';
import { type LoadedSettings, loadSettings } from '../config/load-settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { announce } from './banner.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { withPlaces } from '../config/with-places.ts';

/** Filled while the server starts, so that a stop in between closes what is there. */
interface Starting {
  server?: HelperServer;
}

/** Serves until the process is told to stop, then lets running turns finish (contract/restarts.md#stopping). */
export const start: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options: configOption });
  const { environment, workingDirectory } = context;
  const stopSignal = context.untilStopped();
  const stopped = aborted(stopSignal);
  const loaded = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const starting: Starting = {};
  context.onUnhandledRejection((reason) => {
    reportRejection(reason, starting, context);
  });
  // A plugin may take long to start. An operator who stops the server meanwhile does not wait for it.
  const listening = await Promise.race([listen(loaded, starting, context), stopped]);
  if (listening !== undefined && starting.server !== undefined) {
    const { isReadableLog } = await import('../app/open-logger.ts');
    const { settings } = loaded;
    const { url } = listening;
    // The log tells what came of the reload.
    context.onHangup(() => void listening.reload().catch(() => 0));
    announce({ ...starting.server, settings, url }, isReadableLog(settings.logging.format) ? context.write : undefined);
    const { releaseMemory } = await import('../app/memory-release.ts');
    const stopRelease = releaseMemory(starting.server.log);
    await stopped;
    stopRelease();
  }
  if (!stopSignal.aborted) return exitCodes.failed;
  await stop(starting);
  return exitCodes.ok;
};

/** The server once it listens; undefined when it cannot, and the user was told why. */
async function listen(
  loaded: LoadedSettings,
  starting: Starting,
  { writeError }: Pick<CommandContext, 'writeError'>,
): Promise<ListeningServer | undefined> {
  // Faults of the configuration are shown first, without waiting for the server's code to load.
  const { buildServer } = await import('../app.ts');
  try {
    starting.server = await withPlaces(loaded, () => buildServer(loaded.settings));
    return await starting.server.listen();
  } catch (error) {
    await starting.server?.close();
    const sentence = describeStartFailure(error, loaded.settings);
    if (sentence === undefined) throw error;
    writeError(`${sentence}\n`);
    return undefined;
  }
}

/** Closes everything that is open, and logs the stop. Without these lines a stop would look like a crash. */
async function stop({ server }: Starting): Promise<void> {
  server?.log.info({}, 'told to stop: running turns may finish');
  await server?.close();
  server?.log.info({}, 'stopped');
}

/** Reports a promise that a plugin forgot to handle: that slip must not end everybody's conversations. */
function reportRejection(
  error: unknown,
  { server }: Starting,
  { writeError }: Pick<CommandContext, 'writeError'>,
): void {
  const message = 'a promise was rejected and nobody waited for it';
  if (server !== undefined) server.log.error({ error }, message);
  else
    writeError(
      `${message}: ${withoutQueries(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const finish = (): void => {
      resolve(undefined);
    };
    if (signal.aborted) finish();
    signal.addEventListener('abort', finish);
  });
}
