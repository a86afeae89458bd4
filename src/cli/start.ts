import type { HelperServer } from '../app.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { HelperSettings } from '../config/settings.ts';
import { announce } from './banner.ts';
import { type Command, exitCodes } from './command.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';

/** Serves until the process is told to stop, then lets running turns finish (wire.md 10). */
export const start: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options: configOption });
  const { environment, workingDirectory } = context;
  const stopped = context.untilStopped();
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const running = await startServer(settings, context.writeError);
  if (running === undefined) return exitCodes.failed;
  const { server, url } = running;
  const { isReadableLog } = await import('../app/open-logger.ts');
  announce({ ...server, settings, url }, isReadableLog(settings.logging.format) ? context.write : undefined);
  await aborted(stopped);
  await server.close();
  return exitCodes.ok;
};

/** A server that listens; undefined when it cannot, and the user was told why. */
async function startServer(
  settings: HelperSettings,
  writeError: (text: string) => void,
): Promise<{ readonly server: HelperServer; readonly url: string } | undefined> {
  // Faults of the configuration are shown without waiting for what they keep from starting.
  const { buildServer } = await import('../app.ts');
  let server: HelperServer | undefined;
  try {
    server = await buildServer(settings);
    return { server, ...(await server.listen()) };
  } catch (error) {
    await server?.close();
    const sentence = describeStartFailure(error, settings);
    if (sentence === undefined) throw error;
    writeError(`${sentence}\n`);
    return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
