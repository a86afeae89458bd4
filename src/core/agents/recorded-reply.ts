import type { ToolCall } from '../calls/tool-call.ts';
import type { Origin } from '../events/origin.ts';
import type { ChatMessage, ModelReply } from '../ports/chat-model.ts';
import type { HostedCitation } from '../ports/hosted-tools.ts';
import type { StepRecord } from '../record/step-record.ts';
import { hostedName } from '../tools/hosted-name.ts';
import { modelText } from '../tools/model-text.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { RecordedHosted } from './hosted/hosted-reading.ts';

/** What a model has said. */
export type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;

/** A reply of a model in the record, its calls under our own ids. */
export type RecordedReply = Omit<ModelReply, 'toolCalls' | 'hosted'> & {
  readonly calls: readonly ToolCall[];
  /** The calls of a last round: nobody makes these calls. */
  readonly dropped: number;
  readonly hosted?: RecordedHosted;
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
  hosted,
}: Pick<RecordedReply, 'text' | 'calls' | 'mark' | 'hosted'>): AssistantMessage | undefined {
  if (text.trim() === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    text: text.trim() === '' ? '' : text,
    toolCalls: calls.map(({ callId, name, arguments: written }) => ({
      id: callId,
      name: keptName(name),
      arguments: written,
    })),
    origin: originOfReply(hosted),
    ...(mark === undefined ? {} : { mark }),
  };
}

/**
 * The calls of tools of MCP servers that the provider made for a reply, before what it says: otherwise the model would not know of them
 * when it goes on.
 */
export function hostedMessages({ hosted }: Pick<RecordedReply, 'hosted'>): readonly ChatMessage[] {
  const calls = hosted?.calls.filter(({ target }) => target.kind === 'mcp') ?? [];
  if (calls.length === 0) return [];
  const made = calls.map(({ callId, target, arguments: written = '' }) => ({
    id: callId,
    name: hostedName(target),
    arguments: written,
  }));
  const results = calls.map(({ callId, target, status, output = '' }): ChatMessage => {
    const text = `[${status}] ${modelText(output)}`;
    return { role: 'tool', callId, name: hostedName(target), text, origin: 'mcp' };
  });
  return [{ role: 'assistant', text: '', toolCalls: made, origin: 'model' }, ...results];
}

/** A reply that repeats what somebody else wrote comes from there. */
function originOfReply(hosted: RecordedHosted | undefined): Origin {
  const targets = hosted?.calls.map(({ target }) => target) ?? [];
  const kinds = new Set(hosted?.citations.map(({ kind }) => kind));
  const uses = (tool: string): boolean => targets.some((target) => target.kind === 'tool' && target.name === tool);
  if (uses('WebSearch') || kinds.has('web')) return 'web';
  if (targets.some(({ kind }) => kind === 'mcp')) return 'mcp';
  return uses('FileSearch') || kinds.has('file') ? 'document' : 'model';
}

/** What the model is told of a call. */
export function toolMessage({ callId, name }: ToolCall, { status, text, origin }: ToolOutcome): ChatMessage {
  return { role: 'tool', callId, name: keptName(name), text: `[${status}] ${text}`, origin };
}

/**
 * What an agent has said and done so far, by the record. Open calls count as not run, and half a reply stands as it was
 * read.
 */
export function saidAndDone(record: Pick<StepRecord, 'get'>, path: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (let round = 0; ; round += 1) {
    const at = replyKey(path, round);
    const reply = record.get(`${at}/model`) as RecordedReply | undefined; // recorded by `askModel`
    if (reply !== undefined) messages.push(...hostedMessages(reply));
    const message = assistantMessage(reply ?? halfOf(record, at));
    if (message !== undefined) messages.push(message);
    if (reply === undefined || reply.calls.length === 0) return messages;
    for (const call of reply.calls) {
      const outcome = record.get(`${at}/call/${call.callId}`) as ToolOutcome | undefined; // recorded by `invokeTool`
      messages.push(toolMessage(call, outcome ?? notRun));
    }
  }
}

/** What the replies of a turn refer to, as their provider says. */
export function hostedCitations(record: Pick<StepRecord, 'entries'>): readonly HostedCitation[] {
  return [...record.entries()].flatMap(([key, value]) => {
    const reply = key.endsWith('/model') ? (value as RecordedReply) : undefined; // recorded by `askModel`
    return reply?.hosted?.citations ?? [];
  });
}

/** The part that was read of a reply that broke off. */
function halfOf(record: Pick<StepRecord, 'get'>, at: string): Pick<RecordedReply, 'text' | 'calls'> {
  const text = record.get(`${at}/half`) as string | undefined; // recorded by `askModel`
  return { text: text ?? '', calls: [] };
}

const notRun = outcomeOfServer('cancelled', outcomeText.cancelled);

/** Replaces a name that is no tool name: a model may make one up, and providers refuse a history with such a name. */
function keptName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : 'unknown_tool';
}
