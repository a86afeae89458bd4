/** One folder of documents (`ragSources` of the type `files`). */
export interface FilesSourceSettings {
  /** For people, logs and metrics; unique in the server. */
  readonly name: string;
  /** The folder, absolute. */
  readonly path: string;
  /**
   * Globs of files, relative to the folder. One star stands for a part of a name, two stars for folders of any depth. Left out: every file
   * with a known ending is read. Files with other endings are never read.
   */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Any one of these roles may search the source. Empty: everybody may. */
  readonly requiredRoles: readonly string[];
  /** Globs of tenants that may search the source. Left out or empty: every tenant may, and so may callers without a tenant. */
  readonly tenants?: readonly string[];
  /** The documents are as trusted as the configuration itself. */
  readonly trusted: boolean;
  /**
   * The address of a document is this prefix and the file's path behind it. Left out: only a document that names its own address has one.
   */
  readonly urlPrefix?: string;
  /** Milliseconds between the end of one look through the folder and the next. */
  readonly refreshMs: number;
  /** The ISO 639-1 code of all documents that name no language themselves. Left out: the language of each document is detected. */
  readonly language?: string;
  /** The least cosine similarity at which a chunk is found by its meaning. Left out: 0.35. */
  readonly minCosine?: number;
  /** Milliseconds that a search may take. */
  readonly timeoutMs: number;
}
