import type { ChatModel } from '../ports/chat-model.ts';
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
  readonly maxToolRounds: number;
  readonly maxSessionMessages: number;
}
