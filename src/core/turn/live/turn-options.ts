import type { KeptMessage } from '../../request/kept-message.ts';
import type { TurnRequest } from '../../request/turn-request.ts';

/** What stays the same from the beginning of a turn to its end, in every process. */
export interface TurnOptions {
  readonly id: string;
  readonly conversationId: string;
  readonly request: TurnRequest;
  /** The conversation before this turn. */
  readonly history: readonly KeptMessage[];
  /** What was said in the last three turns, for searches. Not kept: a turn that continues in another process has already searched. */
  readonly recentWords: readonly string[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly maxToolRounds: number;
  readonly isCopy: boolean;
  /** For a copy: the id of the turn that was copied, if the snapshot has it. */
  readonly copyOf?: string | undefined;
  readonly remembered: Set<string>;
}
