import { joined } from '../base/joined.ts';
import type { CallServices } from '../calls/call-scope.ts';
import { invokeTool } from '../calls/invoke-tool.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Agent } from './agent.ts';
import { type AgentScope, askModel } from './ask-model.ts';
import { assistantMessage, replyKey, toolMessage } from './recorded-reply.ts';

/** How far an agent has come. */
export interface AgentRun {
  /** The number of the round that has replied. */
  readonly round: number;
  /** What the model was sent in that round. */
  readonly messages: readonly ChatMessage[];
}

/** An agent that has replied is asked once more, as if it had not. */
export interface AskedAgain {
  readonly after: AgentRun;
  /** The model must call one of these tools first. */
  readonly toolbox: Toolbox;
}

/**
 * The loop of every agent (docs/architecture.md): model → tool calls → outcomes → model … → reply. Calls of one round
 * run side by side; the model goes on when all of them have an outcome.
 * @throws what `askModel` throws.
 */
export async function runAgent(
  agent: Agent,
  given: readonly ChatMessage[],
  scope: AgentScope & { readonly services: CallServices; readonly again?: AskedAgain | undefined },
): Promise<AgentRun> {
  const { turn, path, gate, services, again } = scope;
  const messages = [...(again?.after.messages ?? given)];
  const first = again === undefined ? 0 : again.after.round + 1;
  for (let round = first; ; round += 1) {
    const at = replyKey(path, round);
    const required = round === first ? again?.toolbox : undefined;
    const asked = required === undefined ? agent : { ...agent, toolbox: required };
    const toolChoice = round - first >= agent.maxRounds ? 'none' : required === undefined ? 'auto' : 'required';
    const reply = await askModel(asked, messages, { turn, path: at, gate, toolChoice });
    if (reply.calls.length === 0) return { round, messages };
    const said = assistantMessage(reply);
    if (said !== undefined) messages.push(said);
    const outcomes = await joined(
      reply.calls.map(async (call) => {
        const outcome = await invokeTool(call, { turn, agent: asked, services, path: at, read: messages });
        return toolMessage(call, outcome);
      }),
    );
    messages.push(...outcomes);
  }
}
