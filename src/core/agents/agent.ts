import type { CallingAgent } from '../calls/call-scope.ts';
import type { ChatModel } from '../ports/chat-model.ts';

/** Who answers: the coordinator, and later specialists and members of teams (architecture.md 3, step 9). */
export interface Agent extends CallingAgent {
  readonly model: ChatModel;
  readonly instructions: string;
  /** Rounds of model and tools; then the model answers without tools (configuration.md 2, `maxToolRounds`). */
  readonly maxRounds: number;
}
