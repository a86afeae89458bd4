import type { MessageRate } from '../limits/message-rate.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { SuspendedTurnStore } from '../ports/suspended-turn-store.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { ToolServices } from '../tools/tool-invocation.ts';

/** What every turn needs of the server (architecture.md 3). */
export interface TurnServices {
  readonly model: ChatModel;
  /** The coordinator's instructions, built once. */
  readonly instructions: string;
  /** Asked once in a turn: it keeps the tools it began with. */
  readonly toolbox: () => Toolbox;
  readonly tools: ToolServices;
  readonly maxMessageLength: number;
  readonly messageRate: MessageRate;
  readonly maxToolRounds: number;
  readonly maxSessionMessages: number;
  /** Where turns are kept while they wait for their user; undefined with `hitlMode: Blocking`. */
  readonly suspendedTurns: SuspendedTurnStore | undefined;
}
