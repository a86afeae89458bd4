import type { RestoredConversation } from '../../core/sessions/snapshot/session-snapshots.ts';
import type { TurnHubEvents } from '../../wire/hub-events.ts';
import type { ShownPart } from '../../core/sessions/snapshot/shown-messages.ts';
import type { AnswerPart, RestoredSession } from '../../wire/session-bodies.ts';
import { hubEventNames } from './hub-event-names.ts';

/** A restored conversation in the form that clients get (contract/sessions.md#snapshots). */
export function restoredSession({
  conversationId,
  messages,
  openConfirmations,
}: RestoredConversation): RestoredSession {
  return {
    conversationId,
    messages: messages.map(({ role, text, at, turnId, feedback, answer }) => ({
      role,
      text,
      at: new Date(at).toISOString(),
      ...(turnId === undefined ? {} : { turnId }),
      ...(feedback === undefined ? {} : { feedback }),
      ...(answer === undefined ? {} : { answer: answer.map(answerPart) }),
    })),
    openConfirmations: openConfirmations.map(({ json }) => JSON.parse(json) as TurnHubEvents['ConfirmationRequested']), // as it was sent
  };
}

function answerPart(part: ShownPart): AnswerPart {
  if (part.type === 'text') {
    const { text, agent } = part;
    return { event: 'TextDelta', text, ...(agent === undefined ? {} : { agent }) };
  }
  const { type, ...fields } = part;
  return { event: hubEventNames[type], ...fields } as AnswerPart; // `hubEventNames` proves that the fields are the wire's
}
