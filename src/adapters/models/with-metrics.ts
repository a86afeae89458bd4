import {
  type ChatModel,
  type MeteredCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../core/ports/chat-model.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

/**
 * Counts each call once, including its retries and its wait for a free slot, and tells it to the meter of its request. `error` is a code,
 * `stopped` or `internal`.
 */
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
      const metered = request.meter?.began(name, request);
      try {
        const reply = await (metered === undefined
          ? model.run(request, sink)
          : runMetered(model, { request, sink, metered }));
        metered?.replied(reply);
        count(undefined, reply.usage);
        return reply;
      } catch (error) {
        metered?.failed(error);
        count(labelOf(error, request.signal), { inputTokens: 0, outputTokens: 0 });
        throw error;
      }
    },
  };
}

/** Runs a call, and tells its meter what is read. */
function runMetered(
  model: ChatModel,
  {
    request,
    sink,
    metered,
  }: { readonly request: ModelRequest; readonly sink: ReplySink; readonly metered: MeteredCall },
): Promise<ModelReply> {
  const onRead = (bytes: number): void => {
    metered.read(bytes);
  };
  const told: ReplySink = {
    text: (escaped) => {
      metered.wrote(escaped);
      sink.text(escaped);
    },
    // Tools of the provider produce progress, not text.
    hosted: (progress) => sink.hosted?.(progress),
  };
  return model.run({ ...request, onRead }, told);
}

function labelOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'stopped' : 'internal';
}
