import type { FollowEmbedding } from '../../core/ports/embedder.ts';
import { failureOf } from './failure-of.ts';
import { providerName, says } from './gen-ai.ts';
import type { Spans } from './spans.ts';

/**
 * Makes a span for each call of an embedding model, including its retries (contract/operations.md#traces). A call for a question is in the
 * trace of its turn. Calls for documents have traces of their own.
 */
export function traceEmbeddings(spans: Spans): FollowEmbedding {
  return async ({ model, provider }, { signal }, call) => {
    const attributes = says.operation('embeddings') + says.provider(providerName(provider)) + says.requestModel(model);
    const span = spans.begin({ name: `embeddings ${model}`, kind: 'client', attributes });
    try {
      const result = await call();
      // 0 means that the provider reported no tokens.
      spans.end(span, result.inputTokens > 0 ? says.inputTokens(result.inputTokens) : '');
      return result;
    } catch (error) {
      spans.end(span, undefined, failureOf(error, signal));
      throw error;
    }
  };
}
