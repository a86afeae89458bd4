import { untilStopped } from '../base/until-stopped.ts';
import type { Reader } from '../identity/may-read.ts';
import type { Clock } from '../ports/clock.ts';
import type { KnowledgeRequest, KnowledgeSource } from '../ports/knowledge-source.ts';
import type { Logger } from '../ports/logger.ts';
import type { KnowledgeOutcome, Metrics } from '../ports/metrics.ts';
import { type CitedDocument, citedDocument } from './cited-document.ts';
import { isEnough, isForReader, usualMinScore } from './judge-document.ts';

/** The sources whose scores seem to need a threshold of their own. The log warns of each source only once. */
const scaleUnknown = new WeakSet<KnowledgeSource>();

/** The services that follow a search: its log, its metrics and its clock. */
export interface SearchServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** A request to one source, with its reader. */
export interface SourceSearch {
  readonly request: KnowledgeRequest;
  readonly reader: Reader;
  readonly minScore: number | undefined;
  /** Aborts when the turn is stopped. */
  readonly signal: AbortSignal;
}

/**
 * The documents of a source that this reader may read and whose score is enough, the best first. When the source fails or is slow, the list
 * is empty, the fault is logged, and the turn continues (contract/knowledge.md#sources).
 * @throws the signal's reason when the turn is stopped.
 */
export async function searchSource(
  source: KnowledgeSource,
  search: SourceSearch,
  { log, metrics, clock }: SearchServices,
): Promise<readonly CitedDocument[]> {
  const { request, reader, signal } = search;
  const startedAt = clock.elapsed();
  const limit = AbortSignal.timeout(source.timeoutMs);
  const ended = (outcome: KnowledgeOutcome): void => {
    metrics
      .of(reader.tenant)
      .knowledgeSearched({ source: source.name, outcome, durationMs: clock.elapsed() - startedAt });
  };
  try {
    const either = AbortSignal.any([signal, limit]);
    const {
      documents,
      isRanked,
      defaultMinScore: ofSource,
    } = await untilStopped(source.search(request, either), either);
    const threshold = search.minScore ?? ofSource;
    const readable = documents.filter((document) => isForReader(document, reader));
    const kept = readable.filter(({ score }) => isEnough(score, threshold ?? usualMinScore));
    if (readable.length > 0 && kept.length === 0 && threshold === undefined) warnOfScale(source, log);
    ended(kept.length > 0 ? 'found' : 'nothing');
    const ordered = isRanked === true ? kept : kept.toSorted((one, other) => other.score - one.score);
    return ordered.map((document) => citedDocument(document, source));
  } catch (error) {
    signal.throwIfAborted();
    ended(limit.aborted ? 'late' : 'failed');
    const why = limit.aborted ? { reason: `no answer within ${String(source.timeoutMs)} ms` } : { error };
    log.warn({ source: source.name, ...why }, 'a source of documents was left out');
    return [];
  }
}

function warnOfScale(source: KnowledgeSource, log: Logger): void {
  if (scaleUnknown.has(source)) return;
  scaleUnknown.add(source);
  const least = String(usualMinScore);
  log.warn(
    { source: source.name },
    `all documents were left out, because none scores ${least}: set ragMinScore, or the defaultMinScore of the source`,
  );
}
