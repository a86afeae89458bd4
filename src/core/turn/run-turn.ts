import { answer } from '../coordinator/answer.ts';
import { admitMessage, droppedAttachments } from '../limits/admit-message.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { userMessages } from '../prompt/user-message.ts';
import { ToolInvocation } from '../tools/tool-invocation.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { EndedTurn } from './ended-turn.ts';
import type { TurnRun } from './turn-run.ts';
import type { TurnServices } from './turn-services.ts';
import { TurnUsage } from './turn-usage.ts';

/** Who speaks when no specialist does (wire.md 2, `agent`). */
export const coordinatorName = 'coordinator';

/**
 * One message in, events out: the table of contents of a turn (architecture.md 3). Exactly one `TurnCompleted` closes it,
 * whatever happens. A turn that broke off keeps its finished rounds and the text the user saw; one that said and did
 * nothing leaves no trace in the history. Never rejects; resolves with what is kept of the turn.
 */
export async function runTurn(run: TurnRun, services: TurnServices): Promise<EndedTurn> {
  const { turn, conversation, message } = run;
  const usage = new TurnUsage(services.model.model, services.tools.now);
  const warnings = droppedAttachments(message);
  const said: ChatMessage[] = [];
  let fault: unknown;
  turn.events.emit({
    type: 'turn-started',
    conversationId: conversation.id,
    model: services.model.model,
    ...(warnings.length > 0 ? { warnings } : {}),
  });
  try {
    if (run.refusal !== undefined) throw run.refusal;
    admitMessage(message, services);
    turn.signal.throwIfAborted();
    const user = userMessages(message, run.page);
    said.push(user.kept);
    await answer({
      model: services.model,
      instructions: services.instructions,
      messages: [...conversation.messages, user.sent],
      invocation: new ToolInvocation({
        ...run,
        agent: coordinatorName,
        toolbox: services.toolbox(),
        services: services.tools,
      }),
      maxToolRounds: services.maxToolRounds,
      record: (spoken) => said.push(spoken),
      addUsage: (added, model) => {
        usage.add(added, model);
      },
    });
  } catch (error) {
    fault = error;
  }
  if (said.length > 1) conversation.record(said, services.maxSessionMessages);
  return concludeTurn(fault, run, { services, usage });
}
