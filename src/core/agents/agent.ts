import type { CallingAgent } from '../calls/call-scope.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { HostedUse } from './hosted/hosted-use.ts';
import type { OfferedTools } from '../tool-filter/offered-tools.ts';

/** Who answers: the coordinator, and later specialists and members of teams (docs/architecture.md). */
export interface Agent extends CallingAgent {
  readonly model: ChatModel;
  readonly instructions: string;
  /** Tools that the provider of the model runs itself; left out, none. */
  readonly hosted?: HostedUse | undefined;
  /** The tools of the toolbox that are sent to the model; left out, all of them. The model may still call the others. */
  readonly offered?: OfferedTools | undefined;
  /** Rounds of model and tools; then the model answers without tools (contract/configuration.md, `maxToolRounds`). */
  readonly maxRounds: number;
}
