import type { KeptMessage } from '../../request/kept-message.ts';

/** What a snapshot holds of a waiting turn (contract/sessions.md#snapshots). It is enough to continue the turn in another conversation. */
export interface TurnSnapshot {
  /** Absent in snapshots of version 1.0. */
  readonly turnId?: string;
  /** The turn whose exchange this one takes the place of. */
  readonly replaces?: string | undefined;
  /** The conversation before the turn. */
  readonly history: readonly KeptMessage[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly steps: readonly (readonly [string, unknown])[];
  /** Keys of events that the copy does not tell again. */
  readonly told: readonly string[];
}
