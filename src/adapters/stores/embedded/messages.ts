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
  /** The statements of each migration, in order. The reader runs none. */
  readonly migrations: readonly (readonly Statement[])[];
  /** Whether the write-ahead log is checked before its use for damage that a crash left. This is done once in each process. */
  readonly checkLog: boolean;
  /** For the role `backup`: the file to write, and the note to store in it. */
  readonly backup?: { readonly target: string; readonly note: BackupNote };
}

/** A request of the main thread. The thread answers with an `Answer` of the same id. */
export type Request =
  | {
      readonly kind: 'change';
      readonly id: number;
      readonly statements: readonly Statement[];
      /** As `ChangeRules.syncLater`. */
      readonly syncLater?: boolean;
    }
  | { readonly kind: 'read'; readonly id: number; readonly statements: readonly Statement[] }
  /** A small write, and a look at whether the files are still those that were opened. */
  | { readonly kind: 'probe'; readonly id: number };

/**
 * `requests`: handle the requests in their order; changes in a row that are synced alike share a commit. `close`: answer all requests, close the files and
 * end.
 */
export type ToWorker =
  { readonly kind: 'requests'; readonly requests: readonly Request[] } | { readonly kind: 'close' };

export interface Fault {
  /** The code of SQLite or of the operating system. Empty: the fault has no code. */
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
      /** The commit before these answers. Left out: nothing was committed. */
      readonly commit?: { readonly changes: number; readonly durationMs: number };
    };
