import {
  type ChatModel,
  type MeteredCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../core/ports/chat-model.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { around } from './around.ts';

/**
 * Counts each call once, including its retries and its wait for a free slot, and tells it to the meter of its request. `error` is a code,
 * `stopped` or `internal`.
 */
export function withMetrics(model: ChatModel, metrics: Pick<Metrics, 'of' | 'expect'>): ChatModel {
  const { model: name, provider } = model;
  metrics.expect({ kind: 'model', provider, model: name });
  return around(model, async (request, sink) => {
    const startedAt = performance.now();
    const count = (
      error: string | undefined,
      usage: ModelReply['usage'],
      fault?: ReturnType<typeof answerOf>,
    ): void => {
      const durationMs = performance.now() - startedAt;
      metrics.of(request.tenant).modelCalled({ provider, model: name, durationMs, error, ...fault, ...usage });
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
      count(labelOf(error, request.signal), { inputTokens: 0, outputTokens: 0 }, answerOf(error));
      throw error;
    }
  });
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
    // A model asks whether its text can be taken back.
    ...(sink.takeBack === undefined ? {} : { takeBack: () => sink.takeBack?.() }),
    ...(sink.thought === undefined ? {} : { thought: (text: string) => sink.thought?.(text) }),
    // Tools of the provider produce progress, not text.
    hosted: (progress) => sink.hosted?.(progress),
  };
  return model.run({ ...request, onRead }, told);
}

/** With what a provider has refused a call. */
export function answerOf(error: unknown): Pick<ModelError, 'status' | 'providerCode'> | undefined {
  if (!(error instanceof ModelError)) return undefined;
  const { status, providerCode } = error;
  return status === undefined && providerCode === undefined ? undefined : { status, providerCode };
}

function labelOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'stopped' : 'internal';
}
