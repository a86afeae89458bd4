import type { KeptEvent } from '../events/shown-event.ts';
import type { Origin } from '../events/origin.ts';
import type { ChatMessage } from '../ports/chat-model.ts';

/** Stands in for the messages that compaction leaves out (contract/sessions.md#summaries). JSON, for the record. */
export interface HistorySummary {
  readonly text: string;
  /** Where the text that it sums up came from, each origin once. */
  readonly origins: readonly Origin[];
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
