import type { ToolCall } from '../calls/tool-call.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage, ModelReply } from '../ports/chat-model.ts';
import { replacementAt, replacementMessages } from './replaced-reply.ts';
import { isHeld, releasedKey } from '../guardrails/held-reply.ts';
import { influencedMember } from '../provenance/influences.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { RecordedHosted } from './hosted/hosted-activity.ts';
import { brokenOff } from './broken-off.ts';
import { hostedMessages } from './hosted/hosted-said.ts';

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
  influencedBy = [],
}: Pick<RecordedReply, 'text' | 'calls' | 'mark' | 'influencedBy'>): AssistantMessage | undefined {
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

/**
 * What an agent has said and done so far, by the record. Open calls count as not run. Half a reply stands as far as it was read. Held text
 * that was never shown does not count as said. Replaced text does not either, but its calls stay, and a replacement that was shown stands
 * in its place.
 */
export function saidAndDone(record: Pick<StepRecord, 'get' | 'has' | 'entries'>, path: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  const replacedTo = lastReplaced(record, path);
  for (let round = 0; ; round += 1) {
    const at = replyKey(path, round);
    const reply = record.get(`${at}/model`) as RecordedReply | undefined; // recorded by `askModel`
    if (reply !== undefined) messages.push(...hostedMessages(reply));
    const said = reply ?? halfOf(record, at);
    const isUnsaid = isHeld(record) && !record.has(releasedKey(at));
    const message = assistantMessage(isUnsaid || round <= replacedTo ? withoutWords(said) : said);
    if (message !== undefined) messages.push(message);
    const replacement = replacementAt(record, at);
    if (round === replacedTo && !isUnsaid) messages.push(...replacementMessages(replacement ?? '', said.influencedBy));
    if (reply === undefined || (reply.calls.length === 0 && replacement === undefined)) return messages;
    for (const call of reply.calls) {
      const outcome = record.get(`${at}/call/${call.callId}`) as ToolOutcome | undefined; // recorded by `invokeTool`
      messages.push(toolMessage(call, outcome ?? brokenOff(record, `${at}/call/${call.callId}`) ?? notRun));
    }
  }
}

/**
 * Keeps only the calls and their influences. The mark of the provider is dropped too, because the provider keeps the unsaid text under it.
 */
function withoutWords({ calls, influencedBy = [] }: Pick<RecordedReply, 'calls' | 'influencedBy'>): SaidInRound {
  return { text: '', calls, influencedBy };
}

type SaidInRound = Pick<RecordedReply, 'text' | 'calls' | 'influencedBy'>;

/** The number of the last round up to which the reply was replaced; -1 where no reply was replaced. */
function lastReplaced(record: Pick<StepRecord, 'get'>, path: string): number {
  let last = -1;
  for (let round = 0; record.get(`${replyKey(path, round)}/model`) !== undefined; round += 1)
    if (replacementAt(record, replyKey(path, round)) !== undefined) last = round;
  return last;
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

/** What `putHalf` has recorded. */
function halfOf(record: Pick<StepRecord, 'get'>, at: string): Pick<RecordedReply, 'text' | 'calls' | 'influencedBy'> {
  const text = record.get(`${at}/half`) as string | undefined; // recorded by `putHalf`
  const influencedBy = record.get(`${at}/half/influences`) as readonly Influence[] | undefined; // as well
  return { text: text ?? '', calls: [], influencedBy: influencedBy ?? [] };
}

const notRun = outcomeOfServer('cancelled', outcomeText.cancelled);

/** Replaces a name that is no tool name: a model may make one up, and providers refuse a history with such a name. */
function keptName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : 'unknown_tool';
}
