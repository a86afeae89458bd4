import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { builtServer, processEnvironment } from '../process-environment.ts';

/** Characters of a process's output that are kept for the message of a failure. */
const keptOutput = 20_000;

/** A real server process: `helper start` with a configuration, in a working directory of its own. */
export class ServerProcess {
  readonly pid: number | undefined;
  /** Resolves with the address once the server listens, and with undefined when the process has ended before. */
  readonly listening: Promise<string | undefined>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #output = '';

  constructor(options: {
    readonly config: string;
    readonly directory: string;
    readonly environment: Readonly<Record<string, string>>;
  }) {
    this.#child = spawn(process.execPath, [builtServer, 'start', '--config', options.config], {
      cwd: options.directory,
      env: { ...processEnvironment, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid;
    this.ended = once(this.#child, 'close').then(() => undefined);
    this.listening = new Promise((resolve) => {
      const read = (text: string): void => {
        this.#output = (this.#output + text).slice(-keptOutput);
        const match = /http:\/\/127\.0\.0\.1:\d+/.exec(this.#output);
        if (match !== null) resolve(match[0]);
      };
      this.#child.stdout.setEncoding('utf8').on('data', read);
      this.#child.stderr.setEncoding('utf8').on('data', read);
      void this.ended.then(() => {
        resolve(undefined);
      });
    });
  }

  /** The end of the process's output. */
  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The exit code. Null while the process runs, or when a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** Sends the signal. Data that the process handed to the system before still arrive. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
