import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../core/ports/chat-model.ts';
import type { HostedProgress } from '../../core/ports/hosted-tools.ts';
import { failureOf } from './failure-of.ts';
import { providerName, says } from './gen-ai.ts';
import { inputAttributes, outputAttributes } from './messages.ts';
import type { Attributes } from './attributes.ts';
import type { Span } from './span.ts';
import type { Spans } from './spans.ts';

/** Makes a span for each call of a model, including its retries (contract/operations.md#traces). The provider gets the trace context. */
export function traceModel(model: ChatModel, spans: Spans, includeSensitive: boolean): ChatModel {
  const { model: name, provider } = model;
  const always =
    says.operation('chat') + says.provider(providerName(provider)) + says.requestModel(name) + says.isStream;
  return {
    model: name,
    provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      const attributes = includeSensitive ? always + inputAttributes(request) : always;
      const span = spans.begin({ name: `chat ${name}`, kind: 'client', attributes });
      const timed = new TimedSink(sink, span);
      try {
        const reply = await model.run({ ...request, traceparent: span.traceparent }, timed);
        const said = replyAttributes(reply, timed.firstTextMs);
        spans.end(span, includeSensitive ? said + outputAttributes(reply) : said);
        return reply;
      } catch (error) {
        spans.end(span, undefined, failureOf(error, request.signal));
        throw error;
      }
    },
  };
}

/** Notes when the first text arrives. */
class TimedSink implements ReplySink {
  /** Milliseconds from the beginning of the span to the first text. Undefined: there is no text yet. */
  firstTextMs: number | undefined;
  /** Absent where nobody may see thoughts. */
  readonly thought?: (text: string) => void;
  readonly #sink: ReplySink;
  readonly #span: Span;

  constructor(sink: ReplySink, span: Span) {
    this.#sink = sink;
    this.#span = span;
    if (sink.thought !== undefined) this.thought = (text) => sink.thought?.(text);
  }

  text(escaped: string): void {
    this.firstTextMs ??= performance.now() - this.#span.start;
    this.#sink.text(escaped);
  }

  takeBack(): void {
    this.#sink.takeBack?.();
  }

  hosted(progress: HostedProgress): void {
    this.#sink.hosted?.(progress);
  }
}

function replyAttributes({ model, finish, usage }: ModelReply, firstTextMs: number | undefined): Attributes {
  const { inputTokens, outputTokens } = usage;
  return (
    says.responseModel(model) +
    says.finishReasons(finish.replaceAll('-', '_')) +
    // A reply without text has no such time.
    (firstTextMs === undefined ? '' : says.timeToFirstChunk(firstTextMs / 1000)) +
    // 0 means that the provider reported no tokens.
    (inputTokens > 0 ? says.inputTokens(inputTokens) : '') +
    (outputTokens > 0 ? says.outputTokens(outputTokens) : '')
  );
}
