import type { Fault } from '../messages.ts';

/** A fault with a code of this server, in the form of an error of SQLite. */
export class StorageFault extends Error {
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** The code of an error; empty when it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** An error as it goes to the main thread. */
export function faultOf(error: unknown): Fault {
  return { code: codeOf(error), reason: error instanceof Error ? error.message : String(error) };
}
