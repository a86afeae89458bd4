import type { DeclaredWords, Localized } from '../shared/action-words.ts';

/** What an entry says of one operation, beside what the document says (contract/openapi.md#operations). */
export interface OperationSettings {
  /** The name of the tool. */
  readonly name?: string | undefined;
  readonly title?: Localized | undefined;
  readonly description?: Localized | undefined;
  readonly confirm?: DeclaredWords['confirm'];
  readonly readOnly?: boolean | undefined;
  readonly requiresConfirmation?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  readonly trusted?: boolean | undefined;
  readonly requiredRoles: readonly string[];
  readonly tenants: readonly string[];
  readonly examples: readonly string[];
  /** Arguments that say where something goes (contract/provenance.md#sinks). */
  readonly sinks: readonly string[];
}

/** One entry of `actions.openapi` (contract/openapi.md#configuration). */
export interface OpenapiSettings {
  readonly name: string;
  /** The absolute path of a file, or an http or https address. */
  readonly document: string;
  /** Where the operations are called. The document does not choose it. */
  readonly baseUrl: string;
  /** Globs of operation ids, or of methods and paths. */
  readonly operations: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly forwardAuthorization: boolean;
  /** Milliseconds of one call. */
  readonly timeout: number;
  /** By operation id, or by method and path. */
  readonly actions: Readonly<Record<string, OperationSettings>>;
}
