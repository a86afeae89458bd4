import type { Influence } from '../events/turn-event.ts';
import type { CallingAgent } from '../calls/call-scope.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { HostedUse } from './hosted/hosted-use.ts';
import type { OfferedTools } from '../tool-filter/offered-tools.ts';

/**
 * An agent of somebody else in place of a model (contract/agents.md#an-agent-that-answers). It may act as soon as it is asked, so it gets a
 * message only once the message has passed its check.
 */
export interface ForeignAgent {
  /** The untrusted source of all that it says. Empty where it is as trusted as the texts that it has read. */
  readonly influences: readonly Influence[];
}

/** Who answers: the coordinator, and later specialists and members of teams (docs/architecture.md). */
export interface Agent extends CallingAgent {
  readonly model: ChatModel;
  readonly instructions: string;
  /** Set where an agent of somebody else answers in place of `model`. */
  readonly foreign?: ForeignAgent | undefined;
  /** Tools that the provider of the model runs itself; left out, none. */
  readonly hosted?: HostedUse | undefined;
  /** The tools of the toolbox that are sent to the model; left out, all of them. The model may still call the others. */
  readonly offered?: OfferedTools | undefined;
  /** Rounds of model and tools; then the model answers without tools (contract/configuration.md, `maxToolRounds`). */
  readonly maxRounds: number;
}
