import { HelperError } from '../../errors/helper-error.ts';
import type { ChatMessage, ModelToolCall } from '../../ports/chat-model.ts';
import type { KeptMessage } from '../conversation.ts';

/** Counts up when content is written that an older server could not read. */
const contentVersion = 1;

/** How this server keeps history: itself. A snapshot of one that leaves that to the model's service holds none. */
const historyMode = 'application';

/** What is inside a snapshot (wire.md 5). */
export interface SnapshotContent {
  readonly version: number;
  /** How history is kept where the snapshot was saved (service.md 2.9). */
  readonly history: string;
  readonly messages: readonly KeptMessage[];
  /** Confirmations that were open, in a form of their own; absent when there were none. */
  readonly openRequests?: { readonly version: number; readonly requests: readonly unknown[] };
}

/** The content of a snapshot of these messages. */
export function snapshotContent(messages: readonly KeptMessage[]): SnapshotContent {
  return { version: contentVersion, history: historyMode, messages };
}

/**
 * Reads the content of an opened snapshot. It was written by a server with our keys, though perhaps not by this version.
 * @throws HelperError `snapshot_refused`.
 */
export function readSnapshotContent(content: unknown): readonly KeptMessage[] {
  if (!isRecord(content) || content['version'] !== contentVersion || !Array.isArray(content['messages'])) {
    throw anotherVersion();
  }
  if (content['history'] !== historyMode) {
    throw refused('This snapshot was saved by a server that keeps history in another way (useServiceManagedHistory).');
  }
  if (content['openRequests'] !== undefined) {
    throw refused('This snapshot holds open confirmations, which this server does not take up.');
  }
  return content['messages'].map(readKeptMessage);
}

function readKeptMessage(kept: unknown): KeptMessage {
  if (!isRecord(kept) || typeof kept['at'] !== 'number' || !isChatMessage(kept['message'])) throw anotherVersion();
  return { message: kept['message'], at: kept['at'] };
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
  return refused('This snapshot was saved by another version of this server. Save the conversation again.');
}

function refused(reason: string): HelperError {
  return new HelperError('snapshot_refused', reason);
}
