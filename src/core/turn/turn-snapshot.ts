import type { KeptMessage } from '../request/kept-message.ts';

/** The part of a turn that waits which a snapshot holds (contract/sessions.md#snapshots): what it takes to go on in another conversation. */
export interface TurnSnapshot {
  /** Version 1.0 wrote none. */
  readonly turnId?: string;
  /** The conversation before the turn. */
  readonly history: readonly KeptMessage[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly steps: readonly (readonly [string, unknown])[];
  /** Keys of events that the copy does not tell again. */
  readonly told: readonly string[];
}
