/** A turn that waits for answers, as version 1.0 kept it; `state` is JSON text only the core understands. */
export interface KeptTurnState {
  readonly turnId: string;
  readonly state: string;
}

/** What version 1.0 kept of turns that wait for their user (contract/restarts.md). A change MUST be durable before it resolves. */
export interface SuspendedTurnStore {
  /** Forgets a turn; no fault when there is none. */
  delete(turnId: string): Promise<void>;
  /** Oldest first. */
  all(): Promise<readonly KeptTurnState[]>;
}
