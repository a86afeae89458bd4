import type { KeptMessage } from '../request/kept-message.ts';
import type { TurnRequest } from '../request/turn-request.ts';

/** What a turn is from its beginning to its end, in whatever process. */
export interface TurnOptions {
  readonly id: string;
  readonly conversationId: string;
  readonly request: TurnRequest;
  /** The conversation before this turn. */
  readonly history: readonly KeptMessage[];
  /** What was said in the last three turns, for searches. Not kept: a turn that goes on elsewhere has searched. */
  readonly recentWords: readonly string[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly maxToolRounds: number;
  readonly isCopy: boolean;
  /** The turn of which it is a copy, where its snapshot says so. */
  readonly copyOf?: string | undefined;
  readonly remembered: Set<string>;
}
