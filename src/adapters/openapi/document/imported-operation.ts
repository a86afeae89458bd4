import type { Members } from '../../shared/members.ts';
import type { BodyKind } from './body-kind.ts';
import type { Method } from './operation-parts.ts';

/** How a parameter is written (OpenAPI, "Style Values"). `json`: as JSON, because the parameter has `content`. */
export type ParameterStyle =
  'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** Where an argument of the model goes in a request. */
export type ArgumentTarget =
  | {
      readonly in: 'path' | 'query' | 'header';
      readonly name: string;
      readonly style: ParameterStyle;
      readonly explode: boolean;
    }
  | {
      readonly in: 'member';
      readonly name: string;
      /** How it is written in a form, where the document says so. */
      readonly encoding?: { readonly style: ParameterStyle; readonly explode: boolean };
    }
  | { readonly in: 'body' };

/** An argument of the model. */
export interface OperationArgument {
  readonly argument: string;
  readonly target: ArgumentTarget;
}

/** An operation that can be called, as it was read from a document. It holds only JSON. */
export interface ImportedOperation {
  /** The `operationId`. The method and the path where there is none. */
  readonly id: string;
  readonly toolName: string;
  readonly method: Method;
  /** With `{name}` for the arguments of the path. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Members;
  readonly arguments: readonly OperationArgument[];
  /** The type of the body. Undefined where the operation has none. */
  readonly bodyType: string | undefined;
  /** How the body is written. Left out, as JSON. */
  readonly bodyKind?: Exclude<BodyKind, 'json'>;
  /** A body is sent even if no argument goes into it. */
  readonly bodyRequired: boolean;
  /** The header that takes the id of the call. Undefined where the document declares none. */
  readonly keyHeader: string | undefined;
}

/** An operation that is left out, and why. */
export interface RefusedOperation {
  readonly id: string;
  readonly place: string;
  readonly reason: string;
}

/** What was read of a document. It holds only JSON. */
export interface ReadDocument {
  readonly version: string;
  readonly title: string;
  /** The addresses in `servers`, as they stand there. Nothing is called there. */
  readonly servers: readonly string[];
  /** Headers in which the API wants a key or a token, as `securitySchemes` tells. */
  readonly keyHeaders: readonly string[];
  readonly operations: readonly ImportedOperation[];
  readonly refused: readonly RefusedOperation[];
  /** Places where the document breaks OpenAPI, in operations that are imported all the same. */
  readonly breaches: readonly string[];
  /** How many operations the document has, whether they can be imported or not. */
  readonly total: number;
  /** Names that were asked about, and that no operation has. */
  readonly unknown: readonly string[];
  /** Globs that name no operation. */
  readonly unmatched: readonly string[];
  /** How many operations the globs name. More than are read where the document has too many. */
  readonly matched: number;
}
