import type { Session } from '../../assistant.ts';
import type { Principal } from '../../identity/principal.ts';
import type { ConfirmationJournal } from '../../ports/confirmation-journal.ts';
import type { SnapshotSealer } from '../../ports/snapshot-sealer.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { RecordedEvent } from '../../turn/turn-event.ts';
import { askable, saidAndDone, withoutDecided } from './reopen-turn.ts';
import { type ShownMessage, shownMessages } from './shown-messages.ts';
import { readSnapshotContent, type SavedConversation, snapshotContent } from './snapshot-content.ts';

/** A conversation that was put back. */
export interface RestoredConversation {
  readonly conversationId: string;
  readonly messages: readonly ShownMessage[];
  /** The questions that were put again. */
  readonly openConfirmations: readonly RecordedEvent[];
}

/** What a snapshot needs of a session. */
export type SavedSession = Pick<Session, 'principal' | 'transcript' | 'waiting' | 'replaceConversation'>;

export interface SessionSnapshotsOptions {
  readonly sealer: SnapshotSealer;
  /** Knows which questions were answered since, here or elsewhere. */
  readonly journal: ConfirmationJournal;
  /** The tools there are now. */
  readonly toolbox: () => Toolbox;
  /** False with `hitlMode: Blocking`: no question outlives its turn there, so none is put again. */
  readonly asksAgain: boolean;
}

/** Saves conversations to opaque text and puts them back (wire.md 5). */
export class SessionSnapshots {
  readonly #options: SessionSnapshotsOptions;

  constructor(options: SessionSnapshotsOptions) {
    this.#options = options;
  }

  /**
   * The state after the last ended turn, and the open Native confirmations of the one that waits, or was stopped waiting.
   * @throws HelperError `payload_too_large`.
   */
  async save(session: SavedSession): Promise<string> {
    const { sealer, journal } = this.#options;
    const { transcript, principal, waiting } = session;
    const isOpen = waiting !== undefined && (await withoutDecided(waiting, journal)).open.length > 0;
    // As it waits: what becomes of questions that were answered by now, the journal knows when it is restored.
    const saved = isOpen ? waiting : transcript;
    return sealer.seal(snapshotContent(saved), ownerKey(principal));
  }

  /**
   * Replaces the session's conversation, and asks again what was open. Whatever is wrong, the live conversation stays as it
   * is.
   * @throws HelperError `snapshot_refused`, then `turn_in_progress` or `server_draining`.
   */
  async restore(session: SavedSession, snapshot: string): Promise<RestoredConversation> {
    const saved = readSnapshotContent(await this.#options.sealer.open(snapshot, ownerKey(session.principal)));
    const { messages, waiting } = await this.#today(saved, session.principal);
    const { conversationId, turn } = session.replaceConversation(messages, waiting);
    await turn?.reopened;
    const shown = waiting === undefined ? messages : [...messages, ...saidAndDone({ ...waiting, calls: [] })];
    return { conversationId, messages: shownMessages(shown), openConfirmations: turn?.openConfirmations ?? [] };
  }

  /** What was saved with what became of its questions; one that has none left is a conversation like any other. */
  async #today({ messages, waiting }: SavedConversation, principal: Principal): Promise<SavedConversation> {
    if (waiting === undefined) return { messages };
    const { journal, toolbox, asksAgain } = this.#options;
    const left = askable(await withoutDecided(waiting, journal), { principal, toolbox: toolbox() });
    if (asksAgain && left.open.length > 0) return { messages, waiting: left };
    return { messages: [...messages, ...saidAndDone(left)] };
  }
}

/** Without sign-in every visitor is the same anonymous user (service.md 2.22). */
function ownerKey(principal: Principal): string {
  return principal.kind === 'anonymous' ? 'anon:' : principal.userKey;
}
