/** One folder of documents (`ragSources` of the type `files`). */
export interface FilesSourceSettings {
  /** For people, logs and metrics; unique in the server. */
  readonly name: string;
  /** The folder, absolute. */
  readonly path: string;
  /**
   * Globs of files, relative to the folder: a single star stands for part of a name, two for folders of any depth. Left out: every file
   * whose ending is known. Files with other endings are never read.
   */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Any one of these roles may search the source. Empty: everybody may. */
  readonly requiredRoles: readonly string[];
  /** Globs of tenants that may search the source. Left out or empty: every tenant may, and whoever has none. */
  readonly tenants?: readonly string[];
  /** The documents are as trusted as the configuration itself. */
  readonly trusted: boolean;
  /** What an address consists of, with the file's path behind it. Left out: documents that name no address have none. */
  readonly urlPrefix?: string;
  /** Milliseconds between the end of one look through the folder and the next. */
  readonly refreshMs: number;
  /** ISO 639-1, of all documents that do not say their own. Left out: it is found out. */
  readonly language?: string;
  /** Least cosine similarity of what is found by its meaning. Left out: 0.35. */
  readonly minCosine?: number;
  /** Milliseconds a search may take. */
  readonly timeoutMs: number;
}
