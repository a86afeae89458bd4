import {
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../core/ports/chat-model.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

/** Counts each call once, including its retries and its wait for a free slot. `error` is a code, `stopped` or `internal`. */
export function withMetrics(model: ChatModel, metrics: Pick<Metrics, 'of' | 'expect'>): ChatModel {
  const { model: name, provider } = model;
  metrics.expect({ kind: 'model', provider, model: name });
  return {
    model: name,
    provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      const startedAt = performance.now();
      const count = (error: string | undefined, usage: ModelReply['usage']): void => {
        const durationMs = performance.now() - startedAt;
        metrics.of(request.tenant).modelCalled({ provider, model: name, durationMs, error, ...usage });
      };
      try {
        const reply = await model.run(request, sink);
        count(undefined, reply.usage);
        request.onUsage?.(name, reply.usage);
        return reply;
      } catch (error) {
        count(labelOf(error, request.signal), { inputTokens: 0, outputTokens: 0 });
        throw error;
      }
    },
  };
}

function labelOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'stopped' : 'internal';
}
