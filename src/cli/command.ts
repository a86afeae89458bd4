/** What a command may use of the process it runs in; `main.ts` makes the real one. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** How the user called us, for the commands we tell them to type next: `helper` or `node dist/main.js`. */
  readonly invokedAs: string;
  readonly write: (text: string) => void;
  /** What is typed or piped in. */
  readonly input: AsyncIterable<unknown>;
  /** Takes bytes: where `write` writes. */
  readonly output: NodeJS.WritableStream;
  readonly writeError: (text: string) => void;
  /** From this call on, the first SIGTERM or SIGINT aborts the signal; a second one ends the process at once. */
  readonly untilStopped: () => AbortSignal;
  /** From this call on, SIGHUP has this called; at once when one came while the process started. */
  readonly onHangup: (reload: () => void) => void;
  /** From this call on, a rejected promise that nobody handles is reported and does not end the process. */
  readonly onUnhandledRejection: (report: (reason: unknown) => void) => void;
}

/** Runs one command to its end and says with which code the process exits. */
export type Command = (parameters: readonly string[], context: CommandContext) => Promise<number>;

/** Exit codes, as sysexits.h names them. */
export const exitCodes = { ok: 0, failed: 1, usage: 64, configuration: 78 } as const;
