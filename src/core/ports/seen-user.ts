/** Who calls, as code of the host sees it: actions, callbacks and sources of documents (contract/plugins.md#actions). */
export interface SeenUser {
  /** The user key for display (`ann`, `sub:ann`); empty when anonymous. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  readonly isAuthenticated: boolean;
  /** Absent without `tenancy.claim`. In that case `id` alone tells users apart. */
  readonly tenant?: string;
}
