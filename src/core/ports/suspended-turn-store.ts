/** A turn that waits for answers, as it is kept; `state` is JSON text only the core understands. */
export interface KeptTurnState {
  readonly turnId: string;
  readonly state: string;
}

/**
 * Turns that wait for their user with `hitlMode: Native`, so that they outlive this process (wire.md 5). Every method MUST
 * have made its change durable before it resolves.
 */
export interface SuspendedTurnStore {
  /** Keeps a turn, or replaces what was kept of it. `at` is epoch milliseconds. */
  save(turn: KeptTurnState, at: number): Promise<void>;
  /** Forgets a turn; no fault when there is none. */
  delete(turnId: string): Promise<void>;
  /** What was kept when the last process ended, oldest first. */
  all(): Promise<readonly KeptTurnState[]>;
}
