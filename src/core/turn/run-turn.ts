import { answer } from '../coordinator/answer.ts';
import { coordinatorName } from '../coordinator/coordinator-name.ts';
import { admitMessage, droppedAttachments } from '../limits/admit-message.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { userMessages } from '../prompt/user-message.ts';
import { withUiActions } from '../ui-actions/ui-action-tools.ts';
import { ToolInvocation } from '../tools/tool-invocation.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { EndedTurn } from './ended-turn.ts';
import type { TurnRun } from './turn-run.ts';
import type { TurnServices } from './turn-services.ts';
import { keptPrincipal, TurnSuspension } from './turn-suspension.ts';
import { TurnUsage } from './turn-usage.ts';

/**
 * One message in, events out: the table of contents of a turn (architecture.md 3). Exactly one `TurnCompleted` closes it,
 * whatever happens. A turn that broke off keeps its finished rounds and the text the user saw; one that said and did
 * nothing leaves no trace in the history. Never rejects; resolves with what is kept of the turn.
 */
export async function runTurn(run: TurnRun, services: TurnServices): Promise<EndedTurn> {
  const { turn, conversation, message, suspended } = run;
  const usage = new TurnUsage(services.model.model, services.tools.now);
  const said: ChatMessage[] = [];
  let fault: unknown;
  if (suspended === undefined) announce(run, services);
  else usage.add(suspended.usage, suspended.usage.model);
  try {
    if (run.refusal !== undefined) throw run.refusal;
    if (suspended === undefined) admitMessage(message, services);
    turn.signal.throwIfAborted();
    if (suspended === undefined) services.messageRate.admit(run.principal);
    const user = userMessages(message, run.page);
    const sent = suspended?.sent ?? user.sent;
    said.push(...(suspended?.said ?? [user.kept]));
    const suspension = suspensionOf(run, services, { said, sent, usage });
    turn.suspension = suspension;
    await answer({
      model: services.model,
      instructions: services.instructions,
      messages: [...conversation.messages, sent, ...said.slice(1)],
      invocation: new ToolInvocation({
        ...run,
        agent: coordinatorName,
        toolbox: withUiActions(services.toolbox(), run.uiActions, turn),
        services: services.tools,
        suspension,
      }),
      maxToolRounds: services.maxToolRounds,
      record: (spoken) => said.push(spoken),
      addUsage: (added, model) => {
        usage.add(added, model);
      },
      resumed: suspended,
    });
  } catch (error) {
    fault = error;
  }
  await turn.suspension?.end();
  if (said.length > 1) {
    const times = { askedAt: usage.startedAt, answeredAt: services.tools.now() };
    conversation.record(said, services.maxSessionMessages, times);
  }
  return concludeTurn(fault, run, { services, usage });
}

function announce({ turn, conversation, message }: TurnRun, services: TurnServices): void {
  const warnings = droppedAttachments(message);
  turn.events.emit({
    type: 'turn-started',
    conversationId: conversation.id,
    model: services.model.model,
    ...(warnings.length > 0 ? { warnings } : {}),
  });
}

function suspensionOf(
  run: TurnRun,
  services: TurnServices,
  progress: { readonly said: readonly ChatMessage[]; readonly sent: ChatMessage; readonly usage: TurnUsage },
): TurnSuspension | undefined {
  const store = services.suspendedTurns;
  if (store === undefined) return undefined;
  const { turn, conversation, principal, channel, page, uiActions } = run;
  const suspension = new TurnSuspension({
    turnId: turn.id,
    store,
    now: services.tools.now,
    state: () => ({
      conversationId: conversation.id,
      channel,
      principal: keptPrincipal(principal),
      ...(page === undefined ? {} : { page }),
      ...(uiActions.length === 0 ? {} : { uiActions }),
      history: conversation.kept,
      sent: progress.sent,
      said: progress.said,
      usage: progress.usage.total(),
      events: turn.events.log.content(),
    }),
  });
  if (run.suspended !== undefined) suspension.restore(run.suspended);
  return suspension;
}
