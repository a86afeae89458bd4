import type { HandOverCall } from '../calls/call-scope.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';

/** The round in which an agent hands over. */
export interface HandingRound {
  /** What the agent had read before it replied. */
  readonly read: readonly ChatMessage[];
  /** The agent makes no other call in this round, so the text of the next agent may be shown while it is read. */
  readonly isAlone: boolean;
}

/** Lets the calls of an agent hand over to other agents. */
export interface HandsOver {
  of(round: HandingRound): (call: HandOverCall) => Promise<ToolOutcome>;
}
