import type { RestoredConversation } from '../../core/sessions/snapshot/session-snapshots.ts';
import type { TurnHubEvents } from '../../wire/hub-events.ts';
import type { RestoredSession } from '../../wire/session-bodies.ts';

/** A conversation that was put back, as clients are told of it (wire.md 5). */
export function restoredSession({
  conversationId,
  messages,
  openConfirmations,
}: RestoredConversation): RestoredSession {
  return {
    conversationId,
    messages: messages.map(({ role, text, at }) => ({ role, text, at: new Date(at).toISOString() })),
    openConfirmations: openConfirmations.map(({ json }) => JSON.parse(json) as TurnHubEvents['ConfirmationRequested']), // as it was sent
  };
}
