import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Resource } from './open-resources.ts';

/**
 * The commands that the operator of this machine may send to a running server, by name. `sent` is the JSON that came with the command. The
 * answer is JSON, or the content of an opened file.
 */
export type ControlCommands = Readonly<Record<string, ControlCommand>>;

type ControlCommand = (sent: unknown) => Promise<object>;

/** The path of the control socket of a server with this `storage.path`. */
export function controlSocketPath(storagePath: string): string {
  return join(storagePath, 'helper.sock');
}

/** Bytes. Linux allows no longer address of a socket. */
const longestPath = 107;
const requestTimeoutMs = 5_000;
/** Milliseconds between two looks for clients that have sent nothing for too long. Such clients keep the others waiting. */
const lookEveryMs = 1_000;
/** Characters of the JSON that comes with a command. */
const longestBody = 64 * 1024;

/**
 * Answers the commands of `helper` (contract/operations.md#reload) on a Unix socket in `storage.path`. Only the owner of the socket may use
 * it. This process holds the lock of the folder, so an existing file under the socket's name is a leftover and is deleted.
 */
export async function openControlSocket(
  storagePath: string,
  commands: ControlCommands,
  log: Logger,
): Promise<readonly Resource[]> {
  const path = controlSocketPath(storagePath);
  if (Buffer.byteLength(path) > longestPath) {
    log.warn({ path }, 'storage.path is too long for a socket: helper reload cannot reach this server, SIGHUP can');
    return [];
  }
  await rm(path, { force: true });
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: lookEveryMs,
  };
  const server = createServer(timeouts, (request, response) => {
    const name = (request.url ?? '').slice(1);
    const command = request.method === 'POST' && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) request.resume().on('end', () => send(response, 404, {}));
    else void run(command, request, response);
  });
  server.maxConnections = 4;
  await listenPrivately(server, path);
  server.unref();
  return [
    {
      name: 'control socket',
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    },
  ];
}

function listenPrivately(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The server keeps this listener: a connection that cannot be taken in later ends nothing.
    server.on('error', reject);
    // The umask applies while `listen` creates the file, so the file is never open to anybody else.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => resolve());
    } finally {
      process.umask(mask);
    }
  });
}

async function run(command: ControlCommand, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await command(await sentWith(request));
    if ('createReadStream' in answer)
      await sendFile(response, answer as FileHandle); // of all answers of commands, only a FileHandle has it
    else send(response, 200, answer);
  } catch (error) {
    if (error instanceof StartupFaults) send(response, 422, { faults: error.faults });
    else
      send(response, error instanceof BadCommand ? 400 : 500, {
        message: error instanceof Error ? error.message : String(error),
      });
  }
}

/** The JSON that came with a command does not fit the command. */
class BadCommand extends Error {}

/** The JSON that came with a request; undefined when there is none. @throws BadCommand for a body that is not JSON or is too long. */
async function sentWith(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += String(part);
    if (text.length > longestBody) throw new BadCommand('too much was sent');
  }
  if (text === '') return undefined;
  try {
    const sent: unknown = JSON.parse(text);
    return sent;
  } catch {
    throw new BadCommand('what was sent is no JSON');
  }
}

/** Sends the content of the opened file, then closes the file. The client compares the length to see whether everything has come. */
async function sendFile(response: ServerResponse, file: FileHandle): Promise<void> {
  try {
    const { size } = await file.stat();
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    await pipeline(file.createReadStream({ autoClose: false }), response);
  } catch {
    response.destroy();
  } finally {
    await file.close();
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
