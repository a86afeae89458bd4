import { joined } from '../base/joined.ts';
import type { CallServices } from '../calls/call-scope.ts';
import { invokeTool } from '../calls/invoke-tool.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { Agent } from './agent.ts';
import { type AgentScope, askModel } from './ask-model.ts';
import { assistantMessage, replyKey, toolMessage } from './recorded-reply.ts';

/**
 * The loop of every agent (docs/architecture.md): model → tool calls → outcomes → model … → reply. Calls of one round
 * run side by side; the model goes on when all of them have an outcome.
 * @throws what `askModel` throws.
 */
export async function runAgent(
  agent: Agent,
  given: readonly ChatMessage[],
  scope: AgentScope & { readonly services: CallServices },
): Promise<void> {
  const { turn, path, gate, services } = scope;
  const messages = [...given];
  for (let round = 0; ; round += 1) {
    const at = replyKey(path, round);
    const reply = await askModel(agent, messages, { turn, path: at, gate, isLastRound: round >= agent.maxRounds });
    const said = assistantMessage(reply);
    if (said !== undefined) messages.push(said);
    if (reply.calls.length === 0) return;
    const outcomes = await joined(
      reply.calls.map(async (call) => {
        const outcome = await invokeTool(call, { turn, agent, services, path: at, read: messages });
        return toolMessage(call, outcome);
      }),
    );
    messages.push(...outcomes);
  }
}
