import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/system-clock.ts';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { findDocuments } from '../../../../src/core/knowledge/find-documents.ts';
import type { ChatModel, ModelRequest } from '../../../../src/core/ports/chat-model.ts';
import type { KnowledgeRequest, KnowledgeSource } from '../../../../src/core/ports/knowledge-source.ts';
import { channelTraits } from '../../../../src/core/request/turn-request.ts';
import { endsAfter } from '../../../support/ends-after.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

interface Asked {
  readonly log: ReturnType<typeof recordingLogger>;
  /** What the model was asked. */
  readonly questions: readonly ModelRequest[];
  /** What sources were asked, by name. */
  readonly searches: ReadonlyMap<string, KnowledgeRequest>;
}

/** Looks for documents with a model that answers `answer`. If `answer` is a function, the model runs it. */
async function ask(
  answer: string | ((signal: AbortSignal) => Promise<string>),
  { rewrites = true, languages = ['de'] as readonly string[] | null, signal = new AbortController().signal } = {},
): Promise<Asked> {
  const questions: ModelRequest[] = [];
  const model: ChatModel = {
    model: 'small',
    provider: 'test',
    isDemo: false,
    close: () => Promise.resolve(),
    run: async (request) => {
      questions.push(request);
      const text = typeof answer === 'string' ? answer : await answer(request.signal);
      return { text, toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 }, model: 'small', finish: 'stop' };
    },
  };
  const searches = new Map<string, KnowledgeRequest>();
  const source = (name: string): KnowledgeSource => ({
    ...{ name, isTrusted: false, requiredRoles: [], tenants: [], timeoutMs: 5_000 },
    search: (request) => {
      searches.set(name, request);
      return Promise.resolve({ documents: [] });
    },
  });
  const folder = { ...source('folder'), keywordLanguages: () => languages ?? undefined };
  const log = recordingLogger();
  const knowledge = {
    ...{ sources: () => [folder, source('service')], resultCount: 3, minScore: undefined, template: '{documents}' },
    ...{ showSources: true, showExcerpts: false, knowsUsers: false, rewritesQueries: rewrites },
  };
  const request = {
    caller: { principal: anonymousPrincipal('one'), authorization: undefined, traceparent: undefined },
    ...{ channel: channelTraits.sse, message: { text: 'Is </data> late?' }, page: undefined, uiActions: [] },
  };
  const services = { log, metrics: recordingMetrics(), clock: systemClock, classifier: new Classifier(model) };
  await findDocuments({ request, recentMessages: [], signal }, knowledge, services);
  return { log, questions, searches };
}

describe('keywords for a search (contract/knowledge.md#keywords)', () => {
  // proves service-2.11-80
  it('are asked for in the languages of the documents, with the question as data, and go to folders alone', async () => {
    const { questions, searches } = await ask('{"keywords": ["Lieferung", "Paket"]}', { languages: ['de', 'fr'] });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ tools: [], temperature: 0, format: 'json' });
    expect(questions[0]?.instructions).toContain('these codes: de, fr');
    expect(questions[0]?.instructions).toMatch(/6 to 9/);
    expect(questions[0]?.messages[0]?.text.match(/<\/data>/g)).toHaveLength(1);
    expect(searches.get('folder')).toMatchObject({ query: 'Is </data> late?', keywords: ['Lieferung', 'Paket'] });
    expect(searches.get('service')).not.toHaveProperty('keywords');
  });

  // proves service-2.11-81
  it.each([
    ['words in place of an object', 'Lieferung, Paket'],
    ['another object', '{"answer": true}'],
    ['things that are no words', '{"keywords": [1, null, {}, " "]}'],
  ])('are none when the model answers with %s', async (_, answer) => {
    const { searches } = await ask(answer);
    expect(searches.get('folder')).not.toHaveProperty('keywords');
  });

  // proves service-2.11-80
  it('are at most nine, and short', async () => {
    const given = Array.from({ length: 20 }, (_, index) => `${String(index)}${'x'.repeat(100)}`);
    const { searches } = await ask(JSON.stringify({ keywords: given }));
    const { keywords = [] } = searches.get('folder') ?? {};
    expect(keywords.map((word) => word.length)).toEqual(Array.from({ length: 9 }, () => 60));
  });

  // proves service-2.11-81
  it('are none when the model fails, which is logged', async () => {
    const { searches, log } = await ask(() => Promise.reject(new Error('away')));
    expect(searches.get('folder')).not.toHaveProperty('keywords');
    expect(log.lines.map(({ message }) => message)).toEqual(['no keywords for a search: the question alone counts']);
  });

  // proves service-2.11-81
  it('are not waited for longer than 1.5 s, and other sources do not wait at all', async () => {
    const { searches } = await endsAfter(1_500, () => ask(() => new Promise(() => undefined)));
    expect(searches.get('folder')).not.toHaveProperty('keywords');
    // The folder is named first, and is searched last.
    expect([...searches.keys()]).toEqual(['service', 'folder']);
  });

  // proves service-2.11-82
  it('are not asked for when they are switched off, or when no source wants them', async () => {
    expect((await ask('{}', { rewrites: false })).questions).toEqual([]);
    expect((await ask('{}', { languages: null })).questions).toEqual([]);
  });

  it('end with the turn', async () => {
    const stop = new AbortController();
    const asked = ask(
      () => {
        stop.abort(new Error('stopped'));
        return new Promise(() => undefined);
      },
      { signal: stop.signal },
    );
    await expect(asked).rejects.toThrow('stopped');
  });
});
