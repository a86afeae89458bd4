import type { SnapshotFault } from '../../errors/error-codes.ts';
import { HelperError } from '../../errors/helper-error.ts';
import { type KeptMessage, readKeptMessage } from '../../request/kept-message.ts';
import type { TurnSnapshot } from '../../turn/live/turn-snapshot.ts';
import { snapshotOfVersionOne, type WaitingTurnOfVersionOne } from '../../turn/kept/version-one.ts';

/** Counts up when content is written that an older server could not read. */
const contentVersion = 1;

/**
 * The version of the form in which a waiting turn is written. This number grows when an older server could not read that form. Version 1.0
 * wrote 1.
 */
const openRequestsVersion = 2;

/**
 * Who keeps the history that models are sent: this server, or the provider of the model (contract/sessions.md#history-of-the-provider). A
 * snapshot of one kind cannot be restored where the other kind applies.
 */
export type HistoryKeeper = 'application' | 'service';

/** What is inside a snapshot (contract/sessions.md#snapshots). */
export interface SnapshotContent {
  readonly version: number;
  /** How history is kept where the snapshot was saved (contract/sessions.md#length). */
  readonly history: string;
  readonly messages: readonly KeptMessage[];
  /** The id of a conversation that is kept for its user. The restored conversation goes on under this id. Version 1.0 wrote none. */
  readonly conversationId?: string;
  /** The turn that waited for its user, written in a form with its own version. Absent when no turn waited. */
  readonly openRequests?: { readonly version: number; readonly turn: Omit<TurnSnapshot, 'history'> };
}

/** What a snapshot puts back: a conversation, and the turn that waited in it. */
export interface SavedConversation {
  readonly messages: readonly KeptMessage[];
  readonly waiting?: TurnSnapshot;
  /** The id of a conversation that is kept for its user. */
  readonly conversationId?: string;
}

/** The content of a snapshot of these messages, or of a waiting turn and the messages before it. */
export function snapshotContent(
  saved: readonly KeptMessage[] | TurnSnapshot,
  {
    keeper,
    conversationId,
  }: {
    readonly keeper: HistoryKeeper;
    /** The id of a conversation that is kept for its user. */
    readonly conversationId: string | undefined;
  },
): SnapshotContent {
  const head = {
    version: contentVersion,
    history: keeper,
    ...(conversationId === undefined ? {} : { conversationId }),
  };
  if (!('history' in saved)) return { ...head, messages: saved };
  const { history, turnId, replaces, ...waiting } = saved;
  // These ids are needed only where the conversation is kept: there the copy takes the place of both turns.
  const turn = conversationId === undefined || turnId === undefined ? waiting : { ...waiting, turnId, replaces };
  return { ...head, messages: history, openRequests: { version: openRequestsVersion, turn } };
}

/**
 * Reads the content of an opened snapshot. It was written by a server with our keys, though perhaps not by this version.
 * @throws HelperError `snapshot_refused`.
 */
export function readSnapshotContent(content: unknown, keeper: HistoryKeeper): SavedConversation {
  if (!isRecord(content) || content['version'] !== contentVersion || !Array.isArray(content['messages'])) {
    throw anotherVersion();
  }
  if (content['history'] !== keeper) {
    throw refused(
      'other_history',
      'This snapshot was saved by a server that keeps history in another way (useServiceManagedHistory).',
    );
  }
  const messages = content['messages'].map((kept) => readKeptMessage(kept) ?? refuseVersion());
  const { conversationId, openRequests } = content;
  return {
    messages,
    ...(typeof conversationId === 'string' ? { conversationId } : {}),
    ...(openRequests === undefined ? {} : { waiting: readOpenRequests(openRequests, messages) }),
  };
}

/** Reads the turn in the form that its version names. Only a server with our keys can have written it. */
function readOpenRequests(kept: unknown, history: readonly KeptMessage[]): TurnSnapshot {
  if (!isRecord(kept) || !isRecord(kept['turn'])) throw anotherVersion();
  const { version, turn } = kept;
  if (version === 1 && areLists(turn, ['said', 'open', 'autoApprovedRounds']) && isRecord(turn['sent'])) {
    return snapshotOfVersionOne({ ...(turn as unknown as WaitingTurnOfVersionOne), history }); // written by version 1.0
  }
  if (version !== openRequestsVersion || !areLists(turn, ['steps', 'told'])) throw anotherVersion();
  return { ...(turn as unknown as TurnSnapshot), history }; // written by `snapshotContent` in this version
}

function areLists(turn: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => Array.isArray(turn[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseVersion(): never {
  throw anotherVersion();
}

function anotherVersion(): HelperError {
  return refused(
    'other_version',
    'This snapshot was saved by another version of this server. Save the conversation again.',
  );
}

function refused(snapshotFault: SnapshotFault, reason: string): HelperError {
  return new HelperError('snapshot_refused', reason, { snapshotFault });
}
