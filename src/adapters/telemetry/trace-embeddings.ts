import type { FollowEmbedding } from '../../core/ports/embedder.ts';
import { failureOf } from './failure-of.ts';
import { providerName, says } from './gen-ai.ts';
import type { Spans } from './spans.ts';

/**
 * A span for each call of an embedding model, its retries included (contract/operations.md#traces). That of a question is in the trace of
 * its turn, and those of documents have traces of their own.
 */
export function traceEmbeddings(spans: Spans): FollowEmbedding {
  return async ({ model, provider }, { signal }, call) => {
    const attributes = says.operation('embeddings') + says.provider(providerName(provider)) + says.requestModel(model);
    const span = spans.begin({ name: `embeddings ${model}`, kind: 'client', attributes });
    try {
      const result = await call();
      // None: the provider did not say.
      spans.end(span, result.inputTokens > 0 ? says.inputTokens(result.inputTokens) : '');
      return result;
    } catch (error) {
      spans.end(span, undefined, failureOf(error, signal));
      throw error;
    }
  };
}
