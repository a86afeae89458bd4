import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { ActionStatus } from '../turn/turn-event.ts';

/** What a tool call came to: the status for clients and logs, the words for the model. */
export interface ToolOutcome {
  readonly status: ActionStatus;
  readonly text: string;
}

/** Fixed sentences the model is told (wire.md 2, service.md 2.6). English: the model words them in the reply's language. */
export const outcomeText = {
  declined:
    'The user declined this action. Nothing was changed. Say so in one short sentence, do not give any other reason, and do not call it again unless the user asks for it anew.',
  expired: 'Nobody answered the confirmation in time. The action did not run and nothing was changed.',
  cancelled: 'The turn was stopped before the action ran. Nothing was changed.',
  refusedByRole:
    'This action was refused: the user does not have the role it requires. Nothing was changed. Say so plainly; there is no other way to run it.',
  tooManyOpen:
    'This action was not run: too many confirmations of this user are open already. Nothing was changed. Ask the user to answer those first.',
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
  unavailable:
    'The system behind this action cannot be reached right now. The action did not run and nothing was changed. Say so plainly, and do not call it again in this reply.',
  timedOut: 'The action did not answer in time and was given up. It reads only, so nothing was changed.',
  withheld: 'The action ran. Its result was withheld by the host application.',
} as const;

/** What a call came to that was approved or declined under another id: its stored outcome (wire.md 5). */
export function decidedOutcome({ answer, outcome }: JournalRow): ToolOutcome {
  if (answer === 'declined') return { status: 'declined', text: outcomeText.declined };
  if (outcome === null || outcome === 'unknown') return { status: 'unknown', text: outcomeText.unknown };
  return { status: outcome, text: outcomeText.answeredBefore };
}
