import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { loadSettings } from '../config/load-settings.ts';
import type { ServerSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { type Command, exitCodes } from './command.ts';
import { formatFaults } from './format-faults.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';

/** Shorter than the time container tools allow a probe. */
const timeoutMs = 4000;

/** Asks `/readyz` of the configured server; exit 0 when it is ready, else 1. Loads nothing of the server. */
export const health: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options: configOption });
  try {
    const { environment, workingDirectory } = context;
    const file = configFile(values.config, context);
    const { server } = loadSettings({ file, environment, workingDirectory }).settings;
    if (server.port === 0) throw new Error('server.port is 0: there is no telling which port the server took');
    const status = await readiness(server);
    context.write(status === 200 ? 'ready\n' : `not ready: /readyz answered ${String(status)}\n`);
    return status === 200 ? exitCodes.ok : exitCodes.failed;
  } catch (error) {
    context.writeError(
      error instanceof StartupFaults
        ? formatFaults(error.faults, context.workingDirectory)
        : `not ready: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return exitCodes.failed;
  }
};

function readiness(server: ServerSettings): Promise<number> {
  const target = {
    host: reachableHost(server.host),
    port: server.port,
    path: '/readyz',
    agent: false as const,
    signal: AbortSignal.timeout(timeoutMs),
    // A server on a loopback address answers only requests for loopback names. No certificate is compared with this name.
    headers: { host: `localhost:${String(server.port)}` },
  };
  return new Promise((resolve, reject) => {
    // The certificate is made for the public name, so it is not checked. Nobody can stand between this process and its own machine.
    const request = server.tls === null ? requestHttp(target) : requestHttps({ ...target, rejectUnauthorized: false });
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', (error) => {
      reject(error.name === 'AbortError' || error.name === 'TimeoutError' ? new Error('no answer in time') : error);
    });
    request.end();
  });
}

/** The address to call. A server can listen on a wildcard address, but nobody can call one. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return /^[0:]+$/.test(host) ? '::1' : host;
}
