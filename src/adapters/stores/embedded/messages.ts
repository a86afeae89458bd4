import type { Statement, StatementResult } from '../sql/sql-database.ts';

/** What a backup holds beside the rows of the database. */
export interface BackupNote {
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** The text of a key file; null where the keys stand in the configuration. */
  readonly keys: string | null;
}

/** What a worker is started with. */
export interface WorkerStart {
  readonly role: 'writer' | 'reader' | 'backup';
  /** `storage.path`, absolute. */
  readonly folder: string;
  /** Statements of each migration, in order; the reader runs none. */
  readonly migrations: readonly (readonly Statement[])[];
  /** Whether the write-ahead log is looked through before it is used: what a crash left behind, once a process. */
  readonly checkLog: boolean;
  /** Of the role `backup`: where it goes, and what goes with it. */
  readonly backup?: { readonly target: string; readonly note: BackupNote };
}

/** What the main thread asks for; answered by an `Answer` of the same id. */
export type Request =
  | { readonly kind: 'change'; readonly id: number; readonly statements: readonly Statement[] }
  | { readonly kind: 'read'; readonly id: number; readonly statements: readonly Statement[] }
  /** A small write, and a look at whether the files are still those that were opened. */
  | { readonly kind: 'probe'; readonly id: number };

/** `requests`: in their order; changes among them share a commit. `close`: answer what has come, close the files, end. */
export type ToWorker =
  { readonly kind: 'requests'; readonly requests: readonly Request[] } | { readonly kind: 'close' };

export interface Fault {
  /** Of SQLite or of the operating system; empty for none. */
  readonly code: string;
  readonly reason: string;
}

export type Answer =
  | { readonly id: number; readonly kind: 'done'; readonly results: readonly StatementResult[] }
  | { readonly id: number; readonly kind: 'refused' }
  | { readonly id: number; readonly kind: 'failed'; readonly fault: Fault };

export type FromWorker =
  | { readonly kind: 'ready'; readonly begunAnew: boolean }
  | { readonly kind: 'unusable'; readonly fault: Fault }
  | {
      readonly kind: 'answers';
      readonly answers: readonly Answer[];
      /** The commit behind them, where there was one. */
      readonly commit?: { readonly changes: number; readonly durationMs: number };
    };
