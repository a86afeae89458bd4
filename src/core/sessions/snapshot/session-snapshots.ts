import type { Session } from '../../assistant.ts';
import type { Principal } from '../../identity/principal.ts';
import type { SnapshotSealer } from '../../ports/snapshot-sealer.ts';
import { type ShownMessage, shownMessages } from './shown-messages.ts';
import { readSnapshotContent, snapshotContent } from './snapshot-content.ts';

/** A conversation that was put back. */
export interface RestoredConversation {
  readonly conversationId: string;
  readonly messages: readonly ShownMessage[];
}

/** What a snapshot needs of a session. */
export type SavedSession = Pick<Session, 'principal' | 'transcript' | 'replaceConversation'>;

/** Saves conversations to opaque text and puts them back (wire.md 5). */
export class SessionSnapshots {
  readonly #sealer: SnapshotSealer;

  constructor(sealer: SnapshotSealer) {
    this.#sealer = sealer;
  }

  /**
   * The state after the last ended turn.
   * @throws HelperError `payload_too_large`.
   */
  save(session: SavedSession): Promise<string> {
    return this.#sealer.seal(snapshotContent(session.transcript), ownerKey(session.principal));
  }

  /**
   * Replaces the session's conversation. Whatever is wrong, the live conversation stays as it is.
   * @throws HelperError `snapshot_refused`, then `turn_in_progress`.
   */
  async restore(session: SavedSession, snapshot: string): Promise<RestoredConversation> {
    const messages = readSnapshotContent(await this.#sealer.open(snapshot, ownerKey(session.principal)));
    return { ...session.replaceConversation(messages), messages: shownMessages(messages) };
  }
}

/** Without sign-in every visitor is the same anonymous user (service.md 2.22). */
function ownerKey(principal: Principal): string {
  return principal.kind === 'anonymous' ? 'anon:' : principal.userKey;
}
