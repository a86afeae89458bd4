import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { atMost } from '../../core/base/at-most.ts';
import { oneLine } from '../../core/base/one-line.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';
import { ProgramKeeper } from './program-keeper.ts';

/** The variables of this server that a program is given. They hold no secret. */
const passedVariables = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'] as const;

export interface ProgramOptions {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environmentVariables: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly limits: Pick<McpLimits, 'closeMs' | 'errorBytes' | 'windowMs'>;
}

type Piped = ChildProcessByStdio<Writable, Readable, Readable>;

/** A program that leads a process group of its own and has a keeper, so that what it starts ends with it, and both end with this server. */
export class Program {
  readonly #child: Piped;
  readonly #keeper: ProgramKeeper;
  readonly #limits: ProgramOptions['limits'];
  readonly #ended: Promise<void>;

  /** Resolves once the program runs. @throws McpFault where it cannot be started. */
  static async start(options: ProgramOptions): Promise<Program> {
    const keeper = new ProgramKeeper();
    const child = spawn(options.command, options.arguments, {
      env: { ...environment(), ...options.environmentVariables, ...keeper.mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    if (child.pid !== undefined) keeper.keep(child.pid);
    child.on('error', () => undefined);
    // A program for which this process has no descriptors left gets no streams, whatever the types say.
    const streams: Partial<Piped> = child;
    for (const stream of [streams.stdin, streams.stdout, streams.stderr]) stream?.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        void keeper.end();
        const reason = `its program could not be started (${error.code ?? 'unknown error'})`;
        reject(new McpFault('not-sent', reason, { cause: error }));
      });
    });
    return new Program(child, keeper, options);
  }

  private constructor(child: Piped, keeper: ProgramKeeper, { log, limits }: ProgramOptions) {
    this.#child = child;
    this.#keeper = keeper;
    this.#limits = limits;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
    logErrors(child.stderr, log, limits);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** How it has ended: `exit code 1`, `signal SIGKILL`. Undefined while it runs. */
  get ending(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return `signal ${signalCode}`;
    return exitCode === null ? undefined : `exit code ${String(exitCode)}`;
  }

  /** Resolves once the program has room for more. @throws McpFault when the program has ended. */
  async write(text: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable) throw new McpFault('not-sent', 'has ended its program');
    if (stdin.write(text)) return;
    await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), this.#ended]);
  }

  /** Asks the program to end, then tells it, then kills it with everything that it has started. Resolves once it has ended. */
  async close(): Promise<void> {
    const { closeMs } = this.#limits;
    this.#child.stdin.end();
    await atMost(closeMs / 4, this.#ended);
    this.#signal('SIGTERM');
    await atMost(closeMs, this.#ended);
    // What the program has started may outlive it, and belongs to its group unless it has left that.
    this.#signal('SIGKILL');
    await atMost(closeMs, this.#ended);
    await atMost(closeMs, this.#keeper.end());
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has ended.
    }
  }
}

function environment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    passedVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Writes what a program says of its errors to the log, up to a bound in each window. The rest is read and dropped. */
function logErrors(errors: Readable, log: Logger, { errorBytes, windowMs }: ProgramOptions['limits']): void {
  let left = errorBytes;
  let since = performance.now();
  errors.setEncoding('utf8').on('data', (text: string) => {
    if (performance.now() - since > windowMs) {
      since = performance.now();
      left = errorBytes;
    }
    const shown = oneLine(text.slice(0, left));
    left -= Math.min(left, text.length);
    if (shown !== '') log.debug({ said: shown }, 'a program of an MCP server wrote to its error output');
  });
}
