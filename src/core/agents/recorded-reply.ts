import type { ToolCall } from '../calls/tool-call.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage, ModelReply } from '../ports/chat-model.ts';
import { influencedMember } from '../provenance/influences.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import type { RecordedHosted } from './hosted/hosted-activity.ts';

/** What a model has said. */
export type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;

/** A reply of a model in the record. Its calls have ids of this server. */
export type RecordedReply = Omit<ModelReply, 'toolCalls' | 'hosted'> & {
  readonly calls: readonly ToolCall[];
  /** How many calls the model asked for in its last round. Nobody makes these calls. */
  readonly dropped: number;
  readonly hosted?: RecordedHosted;
  /** The agent that said it, where the user was shown it and the coordinator did not say it. */
  readonly speaker?: string;
  /** The untrusted texts that the model had read; absent where there were none. */
  readonly influencedBy?: readonly Influence[];
};

/** The key of a reply, and the beginning of the keys of its calls. */
export function replyKey(path: string, round: number): string {
  return `${path}/${String(round)}`;
}

/**
 * A reply as the history has it. Undefined for a reply without text and calls, since providers refuse empty messages.
 */
export function assistantMessage({
  text,
  calls,
  mark,
  extras,
  influencedBy = [],
}: Pick<RecordedReply, 'text' | 'calls' | 'mark' | 'extras' | 'influencedBy'>): AssistantMessage | undefined {
  if (text.trim() === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    text: text.trim() === '' ? '' : text,
    toolCalls: calls.map(({ callId, name, arguments: written }) => ({
      id: callId,
      name: keptName(name),
      arguments: written,
    })),
    origin: 'model',
    ...influencedMember(influencedBy),
    ...(mark === undefined ? {} : { mark }),
    ...(extras === undefined ? {} : { extras }),
  };
}

/** What the model is told of a call. */
export function toolMessage({ callId, name }: ToolCall, outcome: ToolOutcome): ChatMessage {
  const { status, text, origin, influencedBy, trusted, typed, standing } = outcome;
  return {
    role: 'tool',
    callId,
    name: keptName(name),
    text: `[${status}] ${text}`,
    origin,
    ...(influencedBy === undefined ? {} : { influencedBy }),
    ...(trusted === undefined ? {} : { trusted }),
    ...(typed === undefined ? {} : { typed }),
    ...(standing === undefined ? {} : { standing }),
  };
}

/** Records the part of a broken-off reply that was read, and the untrusted texts that its model had read. */
export function putHalf(
  record: Pick<StepRecord, 'put'>,
  at: string,
  { text, influencedBy }: { readonly text: string; readonly influencedBy: readonly Influence[] },
): void {
  record.put(`${at}/half`, text);
  if (influencedBy.length > 0) record.put(`${at}/half/influences`, influencedBy);
}

/** Replaces a name that is no tool name: a model may make one up, and providers refuse a history with such a name. */
function keptName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : 'unknown_tool';
}
