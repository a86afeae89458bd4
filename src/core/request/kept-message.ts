import type { Origin } from '../events/origin.ts';
import { isKeptEvent, type KeptEvent } from '../events/shown-event.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage, ModelToolCall } from '../ports/chat-model.ts';

/** Stands in for the messages that compaction leaves out (contract/sessions.md#summaries). JSON, for the record. */
export interface HistorySummary {
  readonly text: string;
  /** Where the text that it sums up came from, each origin once. */
  readonly origins: readonly Origin[];
  /** The untrusted texts behind what it sums up. Absent in what an earlier version has kept. */
  readonly influencedBy?: readonly Influence[];
}

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
  /** Of a tool's answer: what the user was shown of its call, in order. Of the last of a turn: how that broke off too. */
  readonly shown?: readonly KeptEvent[];
  /** Sums up everything before this message, once that is no longer sent. */
  readonly before?: HistorySummary;
}

/** Reads a message that a server with our keys has kept, though perhaps not this version. Undefined: it is of another version. */
export function readKeptMessage(kept: unknown): KeptMessage | undefined {
  if (!isRecord(kept) || typeof kept['at'] !== 'number' || !isChatMessage(kept['message'])) return undefined;
  const shown = readShown(kept['shown']);
  const before = readSummary(kept['before']);
  return {
    message: kept['message'],
    at: kept['at'],
    ...(shown.length > 0 ? { shown } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

/** Reads what sums up messages. Undefined: another version may have kept it in another form. */
export function readSummary(before: unknown): HistorySummary | undefined {
  if (!isRecord(before) || typeof before['text'] !== 'string' || !Array.isArray(before['origins'])) return undefined;
  const { text, origins, influencedBy } = before as HistorySummary & typeof before; // written by this server
  return { text, origins, ...(influencedBy === undefined ? {} : { influencedBy }) };
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
