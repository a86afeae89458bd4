import type { Influence } from '../../events/turn-event.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { HostedCitation, HostedOffer, HostedTarget } from '../../ports/hosted-tools.ts';
import { influenceOf, joinInfluences } from '../../provenance/influences.ts';
import type { StepRecord } from '../../record/step-record.ts';
import { hostedMcpTitle, hostedName } from '../../tools/hosted-name.ts';
import { modelText } from '../../tools/model-text.ts';
import type { RecordedHosted } from './hosted-activity.ts';

/** A reply in the record, as far as the provider's tools are concerned. */
interface HostedReplyInRecord {
  readonly hosted?: RecordedHosted;
}

/**
 * The calls of tools of MCP servers that the provider made for a reply. They stand before the text of the reply, because the model would
 * otherwise not know of them in its next round.
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
    const influencedBy = hostedInfluences([target], []);
    return { role: 'tool', callId, name: hostedName(target), text, origin: 'mcp', influencedBy };
  });
  return [{ role: 'assistant', text: '', toolCalls: made, origin: 'model' }, ...results];
}

/** The untrusted texts that the provider's tools have read for a reply (contract/provenance.md#what-counts). */
export function hostedInfluences(
  targets: readonly HostedTarget[],
  citations: readonly HostedCitation[],
): readonly Influence[] {
  const cited = citations.map(({ kind, title }) => influenceOf(kind === 'web' ? 'web' : 'document', title));
  const used = targets.map((target) => {
    if (target.kind === 'mcp') return influenceOf('mcp', hostedMcpTitle(target));
    if (target.name === 'CodeInterpreter') return [];
    const [kind, origin] = target.name === 'WebSearch' ? (['web', 'web'] as const) : (['file', 'document'] as const);
    // If the reply cites pages or files of this kind, `cited` already names them.
    return citations.some((citation) => citation.kind === kind) ? [] : influenceOf(origin);
  });
  return joinInfluences(...cited, ...used);
}

/** Whether the code interpreter is given files, or a container that may have some. Their texts are documents. */
export function hasFiles({ tools }: HostedOffer): boolean {
  return tools.some(({ name, options: { container } }) => {
    if (name !== 'CodeInterpreter' || container === undefined) return false;
    if (typeof container !== 'object' || container === null) return true;
    return Object.entries(container).some(
      ([key, value]) => /^file_?ids$/i.test(key) && Array.isArray(value) && value.length > 0,
    );
  });
}

/** The pages and files that the replies of a turn cite, as the provider names them. */
export function hostedCitations(record: Pick<StepRecord, 'entries'>): readonly HostedCitation[] {
  return [...record.entries()].flatMap(([key, value]) => {
    const reply = key.endsWith('/model') ? (value as HostedReplyInRecord) : undefined; // recorded by `askModel`
    return reply?.hosted?.citations ?? [];
  });
}
