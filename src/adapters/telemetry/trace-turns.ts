import { type Attributes, type Span, SpanKind } from '@opentelemetry/api';
import type { TracedStep, TracedTurn, Tracing, TurnTrace } from '../../core/ports/turn-trace.ts';
import { meteredName } from '../../core/tools/tool-name.ts';
import { attribute, sensitive } from './gen-ai.ts';
import type { Spans, SpanStart, TraceIds } from './spans.ts';
import { stepEnd } from './step-end.ts';

export interface TraceTurnsOptions {
  readonly spans: Spans;
  readonly ids: TraceIds;
  /** Also what users and tools said (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive: boolean;
}

/**
 * A span for each turn and for its steps (contract/operations.md#traces). A turn that came without a trace gets one that follows from its id, so
 * that it is the same trace when the next process goes on with it.
 */
export function traceTurns({ spans, ids, includeSensitive }: TraceTurnsOptions): Tracing {
  return {
    begin(turn) {
      const span = ids.derived(turn.id, () => spans.beginIn(turn.traceparent, turnStart(turn, includeSensitive)));
      return new SpannedTurn(span, spans, includeSensitive);
    },
  };
}

class SpannedTurn implements TurnTrace {
  readonly #span: Span;
  readonly #spans: Spans;
  readonly #includeSensitive: boolean;
  #error: string | undefined;

  constructor(span: Span, spans: Spans, includeSensitive: boolean) {
    this.#span = span;
    this.#spans = spans;
    this.#includeSensitive = includeSensitive;
  }

  get traceparent(): string | undefined {
    return this.#spans.traceparent;
  }

  async run<Value>(turn: () => Promise<Value>): Promise<Value> {
    try {
      return await this.#spans.within(this.#span, turn);
    } finally {
      this.#spans.end(this.#span, this.#error);
    }
  }

  async step<Value>(step: TracedStep, effect: () => Promise<Value>): Promise<Value> {
    const span = this.#spans.begin(stepStart(step, this.#includeSensitive));
    try {
      const value = await this.#spans.within(span, effect);
      this.#spans.end(span, this.#describe(step, span, value));
      return value;
    } catch (error) {
      this.#spans.end(span, 'internal');
      throw error;
    }
  }

  now<Value>(step: TracedStep, effect: () => Value): Value {
    const span = this.#spans.begin(stepStart(step, this.#includeSensitive));
    try {
      return effect();
    } finally {
      this.#spans.end(span);
    }
  }

  ended(status: string, code: string | undefined): void {
    this.#span.setAttribute(attribute.turnStatus, status);
    this.#error = code;
  }

  #describe(step: TracedStep, span: Span, value: unknown): string | undefined {
    const { attributes, error } = stepEnd(step, value, this.#includeSensitive);
    span.setAttributes(attributes);
    return error;
  }
}

function turnStart(turn: TracedTurn, includeSensitive: boolean): SpanStart {
  const attributes: Attributes = {
    [attribute.operation]: 'invoke_agent',
    [attribute.agent]: turn.agent,
    [attribute.conversation]: turn.conversationId,
    [attribute.turn]: turn.id,
    [attribute.channel]: turn.channel,
    ...(turn.isContinued ? { [attribute.continued]: true } : {}),
    ...(includeSensitive ? { [sensitive.user]: turn.user } : {}),
  };
  return { name: `invoke_agent ${turn.agent}`, kind: SpanKind.INTERNAL, attributes };
}

function stepStart(step: TracedStep, includeSensitive: boolean): SpanStart {
  const kind = SpanKind.INTERNAL;
  switch (step.kind) {
    case 'prompt':
      return { name: `prompt ${step.part}`, kind, attributes: { [attribute.promptPart]: step.part } };
    case 'tool': {
      const name = shownName(step.name);
      const attributes: Attributes = {
        [attribute.operation]: 'execute_tool',
        [attribute.toolName]: name,
        [attribute.toolType]: 'function',
        [attribute.toolCall]: step.callId,
        ...(includeSensitive ? { [sensitive.toolArguments]: step.arguments } : {}),
      };
      return { name: `execute_tool ${name}`, kind, attributes };
    }
    case 'question': {
      const name = shownName(step.action);
      const attributes = { [attribute.confirmation]: step.actionId, [attribute.toolName]: name };
      return { name: `confirmation ${name}`, kind, attributes };
    }
  }
}

/** Models make names up, and pages give names of their own: neither may carry what users said. */
function shownName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? meteredName(name) : 'unknown_tool';
}
