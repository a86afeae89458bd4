import type { FoundDocument } from '../../../core/ports/knowledge-source.ts';
import type { FilesSourceSettings } from './files-source-settings.ts';
import type { Explanation, FilesSourceState } from './files-source.ts';

/** Who asks, as far as it decides what they may read. */
export interface Reader {
  readonly roles: readonly string[];
  /** Null: they are in none. */
  readonly tenant: string | null;
}

export type Question =
  | { readonly kind: 'search'; readonly query: string; readonly reader: Reader; readonly maxResults: number }
  | { readonly kind: 'explain'; readonly query: string; readonly reader: Reader };

export type Answer =
  | { readonly kind: 'found'; readonly documents: readonly FoundDocument[]; readonly defaultMinScore: number }
  | { readonly kind: 'explained'; readonly explanation: Explanation };

export interface OpenSource {
  readonly kind: 'open';
  /** Its number, by which all other messages name it. */
  readonly source: number;
  readonly settings: FilesSourceSettings;
  /** Where its index lives; null: in memory. */
  readonly indexFile: string | null;
}

export type ToWorker =
  | OpenSource
  | { readonly kind: 'ask'; readonly id: number; readonly source: number; readonly question: Question }
  | { readonly kind: 'close'; readonly source: number };

/** A line for the log; `fields` are plain values. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, string | number>>;
  readonly message: string;
}

export type FromWorker =
  | { readonly kind: 'state'; readonly source: number; readonly state: FilesSourceState }
  | ({ readonly kind: 'log'; readonly source: number } & LogLine)
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'closed'; readonly source: number };
