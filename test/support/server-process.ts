import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { builtServer, processEnvironment, shippedConfiguration, withoutDocuments } from './process-environment.ts';

export interface ServerProcess {
  /** Resolves with the address once the server listens. Rejects with the output if the process ends before. */
  readonly url: Promise<string>;
  readonly pid: number;
  /** Everything that both streams have printed so far. */
  readonly printed: () => string;
  /** Resolves with the exit code, or with null after a signal. */
  readonly exited: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface ServerProcessOptions {
  /** The folder of `storage.path`. */
  readonly folder: string;
  /** Replaces the shipped configuration, from which the sample documents are left out. */
  readonly config?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called whenever something was printed. */
  readonly onPrinted?: () => void;
  /** Gets what ends the process. Left out, the test's end ends it. */
  readonly atEnd?: (end: () => Promise<void>) => void;
}

/**
 * The server as a process of its own, which ends with the test. It has its shipped configuration, without the sample documents, unless
 * another is given.
 */
export function startServerProcess(options: ServerProcessOptions): ServerProcess {
  const { folder, config, environment = {}, onPrinted, atEnd = onTestFinished } = options;
  const child = spawn(process.execPath, [builtServer, 'start', '--config', config ?? shippedConfiguration], {
    env: {
      ...processEnvironment,
      HELPER__SERVER__PORT: '0',
      HELPER__STORAGE__PATH: folder,
      HELPER__LOGGING__FORMAT: 'json',
      ...(config === undefined ? withoutDocuments : {}),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = once(child, 'exit').then(() => child.exitCode);
  const kill = (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  atEnd(() => kill('SIGKILL').then(() => undefined));
  const url = new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      printed += text;
      const match = /"url":"(https?:\/\/[^"]+)"/.exec(printed);
      if (match?.[1] !== undefined) resolve(match[1]);
      onPrinted?.();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void exited.then(() => {
      reject(new Error(`the server ended: ${printed}`));
    });
  });
  // A test that waits only for the end does not ask for the address.
  url.catch(() => undefined);
  if (child.pid === undefined) throw new Error('the server process could not be started');
  return { url, pid: child.pid, printed: () => printed, exited, kill };
}
