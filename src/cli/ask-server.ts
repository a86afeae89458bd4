import { request } from 'node:http';
import { controlSocketPath } from '../app/control-socket.ts';
import type { HelperSettings } from '../config/settings.ts';

/** What a running server has answered: its JSON, and whether it did as it was told. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

const timeoutMs = 60_000;

/**
 * Asks the server that uses `storage.path` on this machine (contract/operations.md#reload).
 * @throws Error with what to do when there is none, or it does not answer.
 */
export async function askServer({ storage }: HelperSettings, command: string): Promise<ServerAnswer> {
  if (storage.type === 'memory') {
    throw new Error('a server without storage on disk has no socket to be asked by; send it SIGHUP instead');
  }
  const socketPath = controlSocketPath(storage.path);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request({ socketPath, path: `/${command}`, method: 'POST', signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      response.on('error', reject);
    });
    asked.on('error', (error) => {
      reject(new Error(isAbsent(error) ? `no server runs with the storage ${storage.path}` : error.message));
    });
    asked.end();
  });
}

function isAbsent(error: Error): boolean {
  return 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code));
}
