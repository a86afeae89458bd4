import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { controlSocketPath } from '../app/control-socket.ts';
import type { HelperSettings } from '../config/settings.ts';

/** What a running server has answered: its JSON, and whether it did as it was told. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** No server uses `storage.path`. */
export class NoServer extends Error {}

const timeoutMs = 60_000;

/**
 * Asks the server that uses `storage.path` on this machine (contract/operations.md#reload).
 * @throws NoServer, or Error with what to do when it does not answer.
 */
export async function askServer(settings: HelperSettings, command: string, sent?: object): Promise<ServerAnswer> {
  const response = await openAnswer(settings, command, { withinMs: timeoutMs, sent });
  return { status: response.statusCode ?? 0, body: await json(response) };
}

/**
 * Like `askServer`, but the caller reads the body. The whole body must arrive within `withinMs`.
 * @throws NoServer, or Error with what to do when the server does not answer.
 */
export async function openAnswer(
  { storage }: HelperSettings,
  command: string,
  { withinMs, sent }: { readonly withinMs: number; readonly sent?: object | undefined },
): Promise<IncomingMessage> {
  if (storage.type === 'memory') {
    throw new Error('a server without storage on disk has no socket to be asked by; send it SIGHUP instead');
  }
  const socketPath = controlSocketPath(storage.path);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(withinMs);
    const asked = request({ socketPath, path: `/${command}`, method: 'POST', signal }, resolve);
    asked.on('error', (error) => {
      reject(isAbsent(error) ? new NoServer(`no server runs with the storage ${storage.path}`) : error);
    });
    asked.end(sent === undefined ? undefined : JSON.stringify(sent));
  });
}

function isAbsent(error: Error): boolean {
  return 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code));
}
