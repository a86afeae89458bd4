import type { Origin } from '../../events/origin.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { HostedCitation } from '../../ports/hosted-tools.ts';
import type { StepRecord } from '../../record/step-record.ts';
import { hostedName } from '../../tools/hosted-name.ts';
import { modelText } from '../../tools/model-text.ts';
import type { RecordedHosted } from './hosted-reading.ts';

/** A reply in the record, as far as the provider's tools are concerned. */
interface HostedReplyInRecord {
  readonly hosted?: RecordedHosted;
}

/**
 * The calls of tools of MCP servers that the provider made for a reply, before what it says: otherwise the model would not know of them
 * when it goes on.
 */
export function hostedMessages({ hosted }: HostedReplyInRecord): readonly ChatMessage[] {
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

/** Where the text of a reply comes from: a reply that repeats what somebody else wrote comes from there. */
export function originOfReply({ hosted }: HostedReplyInRecord): Origin {
  const targets = hosted?.calls.map(({ target }) => target) ?? [];
  const kinds = new Set(hosted?.citations.map(({ kind }) => kind));
  const uses = (tool: string): boolean => targets.some((target) => target.kind === 'tool' && target.name === tool);
  if (uses('WebSearch') || kinds.has('web')) return 'web';
  if (targets.some(({ kind }) => kind === 'mcp')) return 'mcp';
  return uses('FileSearch') || kinds.has('file') ? 'document' : 'model';
}

/** What the replies of a turn refer to, as their provider says. */
export function hostedCitations(record: Pick<StepRecord, 'entries'>): readonly HostedCitation[] {
  return [...record.entries()].flatMap(([key, value]) => {
    const reply = key.endsWith('/model') ? (value as HostedReplyInRecord) : undefined; // recorded by `askModel`
    return reply?.hosted?.citations ?? [];
  });
}
