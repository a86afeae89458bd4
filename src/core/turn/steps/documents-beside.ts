import { coordinatorName } from '../../agents/coordinator-name.ts';
import { hostedCitations } from '../../agents/hosted/hosted-said.ts';
import { saidAndDone } from '../../agents/said-and-done.ts';
import { readerOf } from '../../identity/may-read.ts';
import type { CitedDocument } from '../../knowledge/cited-document.ts';
import { citedPages } from '../../knowledge/cited-pages.ts';
import { citedSources } from '../../knowledge/cited-sources.ts';
import { documentsFor, sourcesKey, toldSource } from '../../knowledge/readable-sources.ts';
import { documentsKey as key } from '../../knowledge/documents-key.ts';
import { findDocuments } from '../../knowledge/find-documents.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** The documents of a turn, and how they are used. It is recorded as JSON. */
export interface FoundForTurn {
  readonly documents: readonly CitedDocument[];
  readonly template: string;
  readonly showSources: boolean;
  /** Absent in records of earlier versions. */
  readonly showExcerpts?: boolean;
}

const nothing: FoundForTurn = { documents: [], template: '', showSources: false };

/**
 * The documents that help to answer the message of a turn (contract/knowledge.md). Returned without a promise where no search is needed, so
 * that the model does not wait. A turn that continues from a record uses the recorded documents, without those that its user may no longer
 * read. It searches for none if the record has none.
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
    const question = { request, recentMessages: options.recentWords, signal, trace: record.trace };
    const { template, showSources, showExcerpts } = knowledge;
    const services = { ...calls, classifier: classifier?.for(turn.spender) };
    return { documents: await findDocuments(question, knowledge, services), template, showSources, showExcerpts };
  };
  const found = record.step(key, search, { kind: 'prompt', part: 'documents' });
  if (!record.isReplay) return found;
  // A copy of a saved turn runs as the user who restores it. That user may have fewer roles.
  const reader = readerOf(request.caller.principal);
  return found.then((all) => ({ ...all, documents: documentsFor(all.documents, reader) }));
}

/** Tells clients which documents, pages and files the reply uses (contract/knowledge.md#citations). */
export function tellSources(
  { record, events }: LiveTurn,
  { documents, showSources, showExcerpts = false }: FoundForTurn,
  { showHostedSources, guards }: Pick<TurnServices, 'showHostedSources' | 'guards'>,
): void {
  const shown = showSources ? documents : [];
  const citations = showHostedSources === true ? hostedCitations(record) : [];
  if (!record.has(sourcesKey) && shown.length === 0 && citations.length === 0) return;
  const sources = record.now(sourcesKey, () => {
    const said = saidAndDone(record, coordinatorName);
    const text = said.flatMap((message) => (message.role === 'assistant' ? [message.text] : [])).join('\n');
    const usedTools = said.some(({ role }) => role === 'tool');
    // What is checked before it is shown is the reply. The text of a document is not.
    const isChecked = guards?.output() !== undefined;
    const cited = citedSources(shown, { text, usedTools, showExcerpts: showExcerpts && !isChecked });
    return [...cited, ...citedPages(citations, documents.length)];
  });
  if (sources.length > 0) events.once(sourcesKey, { type: 'rag-sources-ready', sources: sources.map(toldSource) });
}
