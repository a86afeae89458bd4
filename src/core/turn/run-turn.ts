import { answer } from '../coordinator/answer.ts';
import { AutoApprovedRounds } from '../confirmations/auto-approval.ts';
import { coordinatorName } from '../coordinator/coordinator-name.ts';
import { admitMessage, droppedAttachments } from '../limits/admit-message.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { userMessages } from '../prompt/user-message.ts';
import { askAgain } from '../tools/ask-again.ts';
import { resumeCall } from '../tools/resume-call.ts';
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
  const { turn, conversation, message, suspended, reopened } = run;
  const earlier = suspended ?? reopened;
  const usage = new TurnUsage(services.model.model, services.tools.now);
  const askedAt = earlier?.askedAt ?? usage.startedAt;
  const said: ChatMessage[] = [];
  let fault: unknown;
  if (suspended === undefined) announce(run, services);
  else usage.add(suspended.usage, suspended.usage.model);
  try {
    if (run.refusal !== undefined) throw run.refusal;
    if (earlier === undefined) admitMessage(message, services);
    turn.signal.throwIfAborted();
    if (earlier === undefined) services.messageRate.admit(run.principal);
    const user = userMessages(message, run.page);
    const sent = earlier?.sent ?? user.sent;
    said.push(...(earlier?.said ?? [user.kept]));
    const autoApprovedRounds = new AutoApprovedRounds(earlier?.autoApprovedRounds);
    const suspension = suspensionOf(run, services, { said, sent, usage, askedAt, autoApprovedRounds });
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
        autoApprovedRounds,
      }),
      maxToolRounds: services.maxToolRounds,
      record: (spoken) => said.push(spoken),
      addUsage: (added, model) => {
        usage.add(added, model);
      },
      resumed: earlier === undefined ? undefined : { ...earlier, run: suspended === undefined ? askAgain : resumeCall },
    });
  } catch (error) {
    fault = error;
  }
  await turn.suspension?.end();
  if (said.length > 1) {
    conversation.record(said, services.maxSessionMessages, { askedAt, answeredAt: services.tools.now() });
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
  progress: {
    readonly said: readonly ChatMessage[];
    readonly sent: ChatMessage;
    readonly usage: TurnUsage;
    readonly askedAt: number;
    readonly autoApprovedRounds: AutoApprovedRounds;
  },
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
      askedAt: progress.askedAt,
      autoApprovedRounds: progress.autoApprovedRounds.counted,
      usage: progress.usage.total(),
      events: turn.events.content(),
    }),
  });
  if (run.suspended !== undefined) suspension.restore(run.suspended);
  else if (run.reopened !== undefined) suspension.reopen(run.reopened);
  return suspension;
}
