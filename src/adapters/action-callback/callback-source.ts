import { randomId } from '../../core/base/random-id.ts';
import type { KnowledgeAnswer, KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import { readDocuments } from '../shared/read-documents.ts';
import type { CallbackClient } from './callback-client.ts';
import { parsed, UnusableAnswer } from './read-result.ts';

/** Makes a host application a source of documents. A search is one signed request, or its retries (contract/knowledge.md#sources). */
export function callbackSource(
  source: Omit<KnowledgeSource, 'search'> & { readonly defaultMinScore?: number | undefined },
  client: CallbackClient,
): KnowledgeSource {
  const { defaultMinScore, ...rest } = source;
  return {
    ...rest,
    async search(request, signal) {
      const id = randomId();
      const body = { type: 'search', ...request };
      const answer = await client.ask({
        type: 'search',
        id,
        trace: id,
        body,
        readOnly: true,
        tenant: request.user?.tenant,
        signal,
        read: readAnswer,
      });
      return { ...answer, defaultMinScore: defaultMinScore ?? answer.defaultMinScore };
    },
  };
}

function readAnswer(text: string): KnowledgeAnswer {
  const answer = parsed(text);
  try {
    return readDocuments(answer);
  } catch (error) {
    throw new UnusableAnswer(error instanceof Error ? error.message : String(error));
  }
}
