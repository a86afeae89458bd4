import type { Origin } from '../events/origin.ts';
import { isKeptEvent, type KeptEvent } from '../events/shown-event.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage, ModelToolCall } from '../ports/chat-model.ts';
import { readTurnMark, type TurnMark } from './feedback.ts';

/** Stands in for the messages that compaction leaves out (contract/sessions.md#summaries). JSON, for the record. */
export interface HistorySummary {
  readonly text: string;
  /** The origins of the text that it sums up, each once. */
  readonly origins: readonly Origin[];
  /** The untrusted texts behind the summed-up text. Absent in summaries that an earlier version kept. */
  readonly influencedBy?: readonly Influence[];
}

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
  /**
   * The events that the user was shown with this message, in order. A tool result has those of its call. The last message of a turn also
   * has those of the end of the turn.
   */
  readonly shown?: readonly KeptEvent[];
  /** Sums up everything before this message. It is used when those messages are no longer sent. */
  readonly before?: HistorySummary;
  /** The turn that this message began. Only a user's message has it. Version 1.0 kept none. */
  readonly turn?: TurnMark;
}

/**
 * Reads a message that a server with the same keys has kept, perhaps in another version. Undefined if the message has the form of another
 * version.
 */
export function readKeptMessage(kept: unknown): KeptMessage | undefined {
  if (!isRecord(kept) || typeof kept['at'] !== 'number' || !isChatMessage(kept['message'])) return undefined;
  const shown = readShown(kept['shown']);
  const before = readSummary(kept['before']);
  const turn = readTurnMark(kept['turn']);
  return {
    message: kept['message'],
    at: kept['at'],
    ...(shown.length > 0 ? { shown } : {}),
    ...(before === undefined ? {} : { before }),
    ...(turn === undefined ? {} : { turn }),
  };
}

/** Reads a summary. Undefined if another version has kept it in another form. */
export function readSummary(before: unknown): HistorySummary | undefined {
  if (!isRecord(before) || typeof before['text'] !== 'string' || !Array.isArray(before['origins'])) return undefined;
  const { text, origins, influencedBy } = before as HistorySummary & typeof before; // written by this server
  return { text, origins, ...(influencedBy === undefined ? {} : { influencedBy }) };
}

/** Reads the events that were shown beside the text. Events that only another version knows are left out. */
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
