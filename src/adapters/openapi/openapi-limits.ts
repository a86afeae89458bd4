/** What a document and an API may take and send (contract/openapi.md#limits). Durations are milliseconds. */
export interface OpenapiLimits {
  /** Bytes of a document, together with all documents that it refers to. */
  readonly documentBytes: number;
  /** Documents that one document may refer to, itself included. */
  readonly documents: number;
  /** Until a document is read, all that it refers to included. */
  readonly readMs: number;
  /** Until a document at an address is there. */
  readonly fetchMs: number;
  /** MiB of memory of the thread that reads it. */
  readonly readMiB: number;
  /** Operations that are imported from one document. */
  readonly operations: number;
  /** Characters of an operation id. */
  readonly idLength: number;
  /** Characters of the parameters of one operation. */
  readonly schemaLength: number;
  /** Characters that they shall have. Levels are left out for it, and no operation for it alone. */
  readonly schemaGoal: number;
  /** Parts of the schemas of one operation that are looked at. */
  readonly schemaParts: number;
  /** Levels of schemas that the model is told. Fewer where more are too long. */
  readonly schemaLevels: readonly number[];
  readonly descriptionLength: number;
  readonly titleLength: number;
  /** Bytes of the answer to a call. */
  readonly answerBytes: number;
  /** Between two attempts to read a document that could not be read. The wait doubles from the first to the last. */
  readonly pauseMs: { readonly first: number; readonly last: number };
}

const second = 1_000;
const mebibyte = 1024 * 1024;

/** The limits of a running server. */
export const openapiLimits: OpenapiLimits = {
  documentBytes: 16 * mebibyte,
  documents: 1_000,
  readMs: 20 * second,
  fetchMs: 10 * second,
  readMiB: 256,
  operations: 500,
  idLength: 500,
  schemaLength: 32 * 1024,
  schemaGoal: 12 * 1024,
  schemaParts: 3_000,
  schemaLevels: [16, 8, 5, 3, 2, 1],
  descriptionLength: 2_000,
  titleLength: 100,
  answerBytes: mebibyte,
  pauseMs: { first: second, last: 30 * second },
};
