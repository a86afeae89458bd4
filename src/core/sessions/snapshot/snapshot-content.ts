import type { SnapshotFault } from '../../errors/error-codes.ts';
import { HelperError } from '../../errors/helper-error.ts';
import { isKeptEvent, type KeptEvent } from '../../events/shown-event.ts';
import type { ChatMessage, ModelToolCall } from '../../ports/chat-model.ts';
import type { Origin } from '../../events/origin.ts';
import type { HistorySummary, KeptMessage } from '../../request/kept-message.ts';
import type { TurnSnapshot } from '../../turn/turn-snapshot.ts';
import { snapshotOfVersionOne, type WaitingTurnOfVersionOne } from '../../turn/version-one.ts';

/** Counts up when content is written that an older server could not read. */
const contentVersion = 1;

/** The version of the waiting turn's form; counts up in the same way. Version 1.0 wrote 1. */
const openRequestsVersion = 2;

/**
 * Who keeps the history that models are sent: this server, or the provider of the model (contract/sessions.md#history-of-the-provider). A
 * snapshot of the one kind is of no use to the other.
 */
export type HistoryKeeper = 'application' | 'service';

/** What is inside a snapshot (contract/sessions.md#snapshots). */
export interface SnapshotContent {
  readonly version: number;
  /** How history is kept where the snapshot was saved (contract/sessions.md#length). */
  readonly history: string;
  readonly messages: readonly KeptMessage[];
  /** The turn that waited for its user, in a form of its own; absent when none did. */
  readonly openRequests?: { readonly version: number; readonly turn: Omit<TurnSnapshot, 'history'> };
}

/** What a snapshot puts back: a conversation, and the turn that waited in it. */
export interface SavedConversation {
  readonly messages: readonly KeptMessage[];
  readonly waiting?: TurnSnapshot;
}

/** The content of a snapshot of these messages, or of a turn that waits with those before it. */
export function snapshotContent(saved: readonly KeptMessage[] | TurnSnapshot, keeper: HistoryKeeper): SnapshotContent {
  const head = { version: contentVersion, history: keeper };
  if (!('history' in saved)) return { ...head, messages: saved };
  const { history, ...turn } = saved;
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
  const messages = content['messages'].map(readKeptMessage);
  if (content['openRequests'] === undefined) return { messages };
  return { messages, waiting: readOpenRequests(content['openRequests'], messages) };
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

function readKeptMessage(kept: unknown): KeptMessage {
  if (!isRecord(kept) || typeof kept['at'] !== 'number' || !isChatMessage(kept['message'])) throw anotherVersion();
  const shown = readShown(kept['shown']);
  const before = readSummary(kept['before']);
  return {
    message: kept['message'],
    at: kept['at'],
    ...(shown.length > 0 ? { shown } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

/** What sums up the messages before; another version may have kept it in another form. */
function readSummary(before: unknown): HistorySummary | undefined {
  if (!isRecord(before) || typeof before['text'] !== 'string' || !Array.isArray(before['origins'])) return undefined;
  return { text: before['text'], origins: before['origins'] as readonly Origin[] }; // written by `snapshotContent`
}

/** What was shown beside the text; another version may have kept other events, which are left out. */
function readShown(shown: unknown): readonly KeptEvent[] {
  return Array.isArray(shown) ? shown.filter(isKeptEvent) : [];
}

function isChatMessage(message: unknown): message is ChatMessage {
  if (!isRecord(message) || typeof message['text'] !== 'string') return false;
  switch (message['role']) {
    case 'user':
      return true;
    case 'assistant':
      return Array.isArray(message['toolCalls']) && message['toolCalls'].every(isToolCall);
    case 'tool':
      return typeof message['callId'] === 'string' && typeof message['name'] === 'string';
    default:
      return false;
  }
}

function isToolCall(call: unknown): call is ModelToolCall {
  return isRecord(call) && ['id', 'name', 'arguments'].every((field) => typeof call[field] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
