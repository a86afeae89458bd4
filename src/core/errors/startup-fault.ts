/**
 * One thing that keeps the server from starting (contract/configuration.md#faults). All of them are collected and reported at once.
 * `line` and `column` count from 1 and are absent when the fault has no place in a text file.
 */
export interface StartupFault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Key path such as `models.main.provider`, or the name of what is at fault. */
  readonly path: string;
  /** What was found and what is allowed; never a secret. */
  readonly message: string;
  /** The nearest valid name, when there is one. */
  readonly suggestion?: string;
}

/** Carries every startup fault to the command line, which prints them and exits with 78. */
export class StartupFaults extends Error {
  override readonly name = 'StartupFaults';
  readonly faults: readonly StartupFault[];

  constructor(faults: readonly StartupFault[]) {
    super(faults.map((fault) => `${fault.file} ${fault.path}: ${fault.message}`).join('\n'));
    this.faults = faults;
  }
}
