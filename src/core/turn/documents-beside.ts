import { coordinatorName } from '../agents/coordinator-name.ts';
import { saidAndDone } from '../agents/recorded-reply.ts';
import type { CitedDocument } from '../knowledge/cited-document.ts';
import { citedSources } from '../knowledge/cited-sources.ts';
import { documentsKey as key } from '../knowledge/untrusted-documents.ts';
import { findDocuments } from '../knowledge/find-documents.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The step that holds what was told of them. */
export const sourcesKey = 'sources';

/** The documents of a turn, and what becomes of them: JSON, which is recorded. */
export interface FoundForTurn {
  readonly documents: readonly CitedDocument[];
  readonly template: string;
  readonly showSources: boolean;
}

const nothing: FoundForTurn = { documents: [], template: '', showSources: false };

/**
 * The documents that the message of a turn is answered with (contract/knowledge.md). At once where none are looked for: the model must
 * not wait for that. A turn that goes on has those that it began with, and none where its record has none.
 * @throws TurnStopped after a Stop.
 */
export function documentsBeside(
  turn: LiveTurn,
  { knowledge, calls, classifier }: TurnServices,
): FoundForTurn | Promise<FoundForTurn> {
  const { record, request, options, signal } = turn;
  if (!record.has(key) && (knowledge === undefined || record.isReplay)) return nothing;
  const search = async (): Promise<FoundForTurn> => {
    if (knowledge === undefined) return nothing;
    turn.requireRunning();
    const question = { request, recentMessages: options.recentWords, signal };
    const { template, showSources } = knowledge;
    return { documents: await findDocuments(question, knowledge, { ...calls, classifier }), template, showSources };
  };
  return record.step(key, search, { kind: 'prompt', part: 'documents' });
}

/** Tells clients which documents the reply goes by (contract/knowledge.md#citations). */
export function tellSources({ record, events }: LiveTurn, { documents, showSources }: FoundForTurn): void {
  if (!showSources || documents.length === 0) return;
  const sources = record.now(sourcesKey, () => {
    const said = saidAndDone(record, coordinatorName);
    const text = said.flatMap((message) => (message.role === 'assistant' ? [message.text] : [])).join('\n');
    return citedSources(documents, { text, usedTools: said.some(({ role }) => role === 'tool') });
  });
  if (sources.length > 0) events.once(sourcesKey, { type: 'rag-sources-ready', sources });
}
