import { type Attributes, SpanKind } from '@opentelemetry/api';
import {
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../core/ports/chat-model.ts';
import { attribute, providerName } from './gen-ai.ts';
import { inputAttributes, outputAttributes } from './messages.ts';
import type { Spans } from './spans.ts';

/** A span for each call of a model, its retries included (contract/operations.md#traces). The provider is told of the trace. */
export function traceModel(model: ChatModel, spans: Spans, includeSensitive: boolean): ChatModel {
  const { model: name, provider } = model;
  const always: Attributes = {
    [attribute.operation]: 'chat',
    [attribute.provider]: providerName(provider),
    [attribute.requestModel]: name,
    [attribute.requestStream]: true,
  };
  return {
    model: name,
    provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      const attributes = includeSensitive ? { ...always, ...inputAttributes(request) } : always;
      const span = spans.begin({ name: `chat ${name}`, kind: SpanKind.CLIENT, attributes });
      try {
        const reply = await spans.within(span, () => model.run({ ...request, traceparent: spans.traceparent }, sink));
        span.setAttributes(replyAttributes(reply));
        if (includeSensitive) span.setAttributes(outputAttributes(reply));
        spans.end(span);
        return reply;
      } catch (error) {
        spans.end(span, errorType(error, request.signal));
        throw error;
      }
    },
  };
}

function replyAttributes({ model, finish, usage }: ModelReply): Attributes {
  return {
    [attribute.responseModel]: model,
    [attribute.finishReasons]: [finish.replaceAll('-', '_')],
    // None: the provider did not say.
    ...(usage.inputTokens > 0 ? { [attribute.inputTokens]: usage.inputTokens } : {}),
    ...(usage.outputTokens > 0 ? { [attribute.outputTokens]: usage.outputTokens } : {}),
  };
}

function errorType(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'stopped' : 'internal';
}
