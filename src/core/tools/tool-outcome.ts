import type { ActionStatus, Influence, TurnEvent } from '../events/turn-event.ts';
import type { Origin } from '../events/origin.ts';
import type { ActionErrorCode } from '../errors/error-codes.ts';
import type { ServerTexts } from '../language/server-texts.ts';
import { influenceOf } from '../provenance/influences.ts';
import type { Standing } from '../ports/remote-agent.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { Tool } from './tool.ts';

/** The events of what a call shows or reports beside its status. They are told once the outcome of the call is recorded. */
export type ShownByCall = Extract<
  TurnEvent,
  { readonly type: 'card-ready' | 'navigation-requested' | 'error-occurred' }
>;

/** The key under which an event of this kind is told. */
export function shownKey(at: string, index: number): string {
  return `${at}/shown/${String(index)}`;
}

/** The outcome of a tool call: the status for clients and logs, and the words for the model. It is JSON, so that the record can keep it. */
export interface ToolOutcome {
  readonly status: ActionStatus;
  readonly text: string;
  /** Who speaks in `text`. */
  readonly origin: Origin;
  /** The untrusted texts that stand in `text`; absent where there are none. */
  readonly influencedBy?: readonly Influence[];
  /** The author of the action vouches for what stands in `text`. */
  readonly trusted?: true;
  /** What the user typed into the question about the call. */
  readonly typed?: string;
  /** What later turns must know of the agents to whom the call has handed over. */
  readonly standing?: Standing;
  /** What agents have said that the user has not been shown yet. */
  readonly unsaid?: readonly { readonly agent: string; readonly text: string }[];
  readonly shown?: readonly ShownByCall[];
  /** What the event of the call's end says to the user, in the configured language. */
  readonly told?: { readonly title: string; readonly message: string };
}

/** An outcome in the record. Without a duration the call never reached its tool, and no reader was told of it. */
export type RecordedOutcome = ToolOutcome & {
  readonly durationMs?: number;
  /** What the receipt says beside the status (contract/events.md#receipts). Only a call that would change something has it. */
  readonly receipt?: {
    readonly action: string;
    readonly title: string;
    /** Epoch milliseconds. */ readonly at: number;
  };
  /** The call has read data for the model. */
  readonly reads?: true;
};

/** Fixed sentences the model is told (contract/events.md#order, contract/confirmations.md#declining). English: the model words them in the reply's language. */
export const outcomeText = {
  declined:
    'The user declined this action. Nothing was changed. Say so in one short sentence, do not give any other reason, and do not call it again unless the user asks for it anew.',
  expired: 'Nobody answered the confirmation in time. The action did not run and nothing was changed.',
  cancelled: 'The turn was stopped before the action ran. Nothing was changed.',
  tooManyOpen:
    'This action was not run: too many confirmations of this user are open already. Nothing was changed. Ask the user to answer those first.',
  cannotAsk:
    'This action needs the approval of the user, and nobody can be asked here. It did not run and nothing was changed. Say so in one short sentence, and that it can be done in the chat of the application. Do not call it again in this reply.',
  unknown:
    'It is not known whether this action took effect: it was interrupted while it ran. Tell the user to check before trying again, and do not call it again by yourself.',
  changed:
    'The action has changed since the user was asked, so their approval no longer holds. It did not run and nothing was changed.',
  ranBefore:
    'The action ran before the server was restarted. What it returned is not known any more. Do not call it again by yourself.',
  answeredElsewhere:
    'The user answered this confirmation in another copy of this conversation. Here the action did not run, and what came of it there is not known. Do not call it again by yourself.',
  answeredBefore:
    'The user answered this confirmation in another copy of this conversation, where it came to this. What the action returned is not known here. Do not call it again by yourself.',
  notAsked:
    'This action needs the approval of the user, and nobody was asked: the question could not be stored. It did not run, nothing was changed, and nobody will be asked about this call later. Say so plainly, and do not call it again in this reply.',
  unavailable:
    'The system behind this action cannot be reached right now. The action did not run and nothing was changed. Say so plainly, and do not call it again in this reply.',
  timedOut: 'The action did not answer in time and was given up. It reads only, so nothing was changed.',
  serverFault: 'The action could not be run because of a fault in the server.',
  switchedOff:
    'The operator of this application has switched this action off for now. It did not run and nothing was changed. Say so plainly, and do not call it again in this reply.',
  withheld: 'The action ran. Its result was withheld by the host application.',
} as const;

/**
 * Follows a result whose card the user sees (contract/plugins.md#results). The card is beside the reply, so the reply need not repeat
 * the rows.
 */
export const cardShownNote =
  '[The user sees a card with this result beside your reply. Do not repeat its rows or fields: say in one or two short sentences what matters.]';

/** Where the words of a result come from (contract/provenance.md#origins). */
export function provenanceOfResult(
  { source, trusted, title }: Pick<Tool, 'source' | 'trusted' | 'title'>,
  isOfPage = source === 'page',
): Pick<ToolOutcome, 'origin' | 'influencedBy' | 'trusted'> {
  if (isOfPage) return { origin: 'page', influencedBy: influenceOf('page') };
  if (source === 'built-in') return { origin: 'operator' };
  if (source === 'mcp' && trusted === true) return { origin: 'mcp', trusted };
  if (source === 'hosted' || source === 'mcp') return { origin: 'mcp', influencedBy: influenceOf('mcp', title) };
  if (trusted === true) return { origin: 'action', trusted };
  return { origin: 'action', influencedBy: influenceOf('action', title) };
}

/** An outcome in the server's own words. */
export function outcomeOfServer(status: ActionStatus, text: string, shown?: readonly ShownByCall[]): ToolOutcome {
  return { status, text, origin: 'operator', ...(shown === undefined ? {} : { shown }) };
}

type RestrictedTool = Pick<Tool, 'title' | 'requiredRoles'>;

/** What the model is told of a call whose user has none of the required roles (contract/identity.md#roles). */
export function missingRoleText(tool: RestrictedTool): string {
  return `This action, “${tool.title}”, was refused: it needs the role ${rolesOf(tool)}, which the user does not have. Nothing was changed. Say so plainly, with the action and the role; there is no other way to run it.`;
}

/** The outcome of a call whose user has none of the required roles. The model and the user are told which roles are required. */
export function outcomeOfMissingRole(
  tool: RestrictedTool,
  { roleMissing }: Pick<ServerTexts, 'roleMissing'>,
): ToolOutcome {
  const message = roleMissing.replace('{roles}', () => rolesOf(tool));
  return { ...outcomeOfServer('refused', missingRoleText(tool)), told: { title: tool.title, message } };
}

/** The outcome of a call that the kill switch stops (contract/operations.md#kill-switch). The model and the user are told so. */
export function outcomeSwitchedOff(
  { title }: Pick<Tool, 'title'>,
  { actionSwitchedOff }: Pick<ServerTexts, 'actionSwitchedOff'>,
): ToolOutcome {
  return { ...outcomeOfServer('refused', outcomeText.switchedOff), told: { title, message: actionSwitchedOff } };
}

/** The outcome of a call that nobody could be asked about, because the question could not be stored. The model and the user are told so. */
export function outcomeNotAsked({ questionNotStored }: Pick<ServerTexts, 'questionNotStored'>): ToolOutcome {
  const told = { ...actionFailed(questionNotStored, 'question_not_stored'), retryable: true };
  return outcomeOfServer('failed', outcomeText.notAsked, [told]);
}

/** The required roles as a text. A user needs only one of them. */
function rolesOf({ requiredRoles }: RestrictedTool): string {
  return requiredRoles.join(' / ');
}

/** The outcome of a write that may or may not have taken effect (contract/confirmations.md#the-journal). The user reads `told`. */
export function unknownOutcome(told: string): ToolOutcome {
  return outcomeOfServer('unknown', outcomeText.unknown, [actionFailed(told)]);
}

/** The event that tells the user that an action went wrong. The turn goes on. */
export function actionFailed(message: string, code: ActionErrorCode = 'action_failed'): ShownByCall {
  return { type: 'error-occurred', code, message, retryable: false };
}

/** The outcome of a call whose question ended without an approval. */
export function outcomeOfAnswer(answer: JournalRow['answer']): ToolOutcome {
  switch (answer) {
    case 'declined':
      return outcomeOfServer('declined', outcomeText.declined);
    case 'expired':
      return outcomeOfServer('cancelled', outcomeText.expired);
    case 'approved':
    case 'cancelled':
    case null:
      return outcomeOfServer('cancelled', outcomeText.cancelled);
  }
}

/** The outcome of a call that was approved or declined in another turn, from which a snapshot was saved or restored. */
export function outcomeElsewhere({ answer, outcome, state }: JournalRow, wasAskedHere: boolean): ToolOutcome {
  if (answer === 'declined') return outcomeOfServer('declined', outcomeText.declined);
  if (state !== 'done' && wasAskedHere) return outcomeOfServer('cancelled', outcomeText.answeredElsewhere);
  if (outcome === null || outcome === 'unknown') return outcomeOfServer('unknown', outcomeText.unknown);
  return outcomeOfServer(outcome, outcomeText.answeredBefore);
}
