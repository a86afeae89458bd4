import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { findDocuments } from '../../../../src/core/knowledge/find-documents.ts';
import type { FoundDocument, KnowledgeSource } from '../../../../src/core/ports/knowledge-source.ts';
import { channelTraits, type TurnRequest } from '../../../../src/core/request/turn-request.ts';
import { systemClock } from '../../../../src/app/system-clock.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

const source = (name: string, documents: readonly Partial<FoundDocument>[]): KnowledgeSource => ({
  name,
  isTrusted: false,
  requiredRoles: [],
  tenants: [],
  timeoutMs: 1_000,
  search: () =>
    Promise.resolve({
      documents: documents.map((document) => ({ content: 'words', title: 'Title', score: 5, ...document })),
    }),
});

const request = (text: string): TurnRequest => ({
  caller: { principal: anonymousPrincipal('one'), authorization: undefined, traceparent: undefined },
  channel: channelTraits.sse,
  message: { text },
  page: undefined,
  uiActions: [],
});

function finder(sources: readonly KnowledgeSource[], minScore?: number) {
  const log = recordingLogger();
  const services = { log, metrics: recordingMetrics(), clock: systemClock };
  const knowledge = {
    sources: () => sources,
    resultCount: 3,
    minScore,
    template: '{documents}',
    showSources: true,
    showExcerpts: false,
    rewritesQueries: false,
    knowsUsers: false,
  };
  const find = (text = 'what?', signal = new AbortController().signal) =>
    findDocuments({ request: request(text), recentMessages: [], signal }, knowledge, services);
  return { find, log, metrics: services.metrics };
}

describe('findDocuments (contract/knowledge.md)', () => {
  // proves service-2.11-10
  it('puts first what several sources found', async () => {
    const both = { sourceUrl: '/both' };
    const shared = source('shared', [{ sourceUrl: '/one' }, both]);
    const { find } = finder([shared, source('shared', [both, { sourceUrl: '/two' }])]);
    expect((await find()).map(({ url }) => url)).toEqual(['/both', '/one', '/two']);
  });

  it('keeps several parts of one document, whatever other sources there are', async () => {
    const page = (content: string): Partial<FoundDocument> => ({ sourceUrl: '/page', content });
    const { find } = finder([source('help', [page('one'), page('two')]), source('shop', [{ sourceUrl: '/shop' }])]);
    expect((await find()).map(({ content }) => content).toSorted()).toEqual(['one', 'two', 'words']);
  });

  // proves service-2.11-21
  it('gives a document the same id whenever it is found', async () => {
    const [one] = await finder([source('help', [{ sourceUrl: '/one', content: 'old' }])]).find();
    const [again] = await finder([source('help', [{ sourceUrl: '/one', content: 'new' }])]).find();
    const [other] = await finder([source('shop', [{ sourceUrl: '/one' }])]).find();
    expect(again?.id).toBe(one?.id);
    expect(other?.id).not.toBe(one?.id);
  });

  // proves service-2.11-09
  it('warns once of a source whose scores need a threshold', async () => {
    const { find, log } = finder([source('cosine', [{ score: 0.8 }])]);
    expect([await find(), await find()]).toEqual([[], []]);
    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([['warn', { source: 'cosine' }]]);
  });

  // proves service-2.11-09
  it('warns of no source where a threshold is set, by ragMinScore or by the source', async () => {
    const search = () =>
      Promise.resolve({ documents: [{ content: 'words', title: 'Title', score: 0.1 }], defaultMinScore: 0.5 });
    const named = finder([{ ...source('named', []), search }]);
    const set = finder([source('cosine', [{ score: 0.8 }])], 0.9);
    expect([await named.find(), await set.find()]).toEqual([[], []]);
    expect([...named.log.lines, ...set.log.lines]).toEqual([]);
  });

  it('asks nobody for a message without words', async () => {
    const { find, metrics } = finder([source('help', [{}])]);
    expect(await find(' ')).toEqual([]);
    expect(metrics.counted).toEqual([]);
  });

  it('ends with the turn, whatever a source does', async () => {
    const stop = new AbortController();
    const deaf: KnowledgeSource = { ...source('deaf', []), search: () => new Promise(() => undefined) };
    const { find } = finder([deaf]);
    const found = find('what?', stop.signal);
    stop.abort(new Error('stopped'));
    await expect(found).rejects.toThrow('stopped');
  });
});
