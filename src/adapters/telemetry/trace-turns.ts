import type {
  TracedCall,
  TracedOutcome,
  TracedStep,
  TracedTurn,
  Tracing,
  TurnTrace,
} from '../../core/ports/turn-trace.ts';
import { meteredName } from '../../core/tools/tool-name.ts';
import { says, saysOfUsers } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';
import type { Span, SpanStart } from './span.ts';
import type { Spans } from './spans.ts';
import { outcomeEnd, type StepEnd, stepEnd } from './step-end.ts';

export interface TraceTurnsOptions {
  readonly spans: Spans;
  /** Whether the texts of users and tools are sent, too (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive: boolean;
}

/** Makes a span for each turn, for each of its steps, and for each call without a turn (contract/operations.md#traces). */
export function traceTurns({ spans, includeSensitive }: TraceTurnsOptions): Tracing {
  return {
    begin(turn) {
      const span = spans.beginIn(turn.traceparent, turnStart(turn, includeSensitive));
      return new SpannedTurn(span, spans, includeSensitive);
    },
    call<Outcome extends TracedOutcome>(
      call: TracedCall,
      effect: (traceparent: string) => Promise<Outcome>,
    ): Promise<Outcome> {
      const span = spans.beginIn(call.traceparent, callStart(call, includeSensitive));
      const end = ({ status, text, told }: Outcome): StepEnd =>
        outcomeEnd({ status, text: text ?? told ?? '' }, includeSensitive);
      return spanned(spans, { span, end }, () => effect(span.traceparent));
    },
  };
}

/** Runs `effect` in a span, and ends the span with what `end` reads of the value. */
async function spanned<Value>(
  spans: Spans,
  { span, end }: { readonly span: Span; readonly end: (value: Value) => StepEnd },
  effect: () => Promise<Value>,
): Promise<Value> {
  try {
    const value = await spans.within(span, effect);
    const { attributes, error } = end(value);
    spans.end(span, attributes, error);
    return value;
  } catch (error) {
    spans.end(span, undefined, 'internal');
    throw error;
  }
}

class SpannedTurn implements TurnTrace {
  readonly #span: Span;
  readonly #spans: Spans;
  readonly #includeSensitive: boolean;
  #end: { readonly attributes: Attributes; readonly error: string | undefined } | undefined;

  constructor(span: Span, spans: Spans, includeSensitive: boolean) {
    this.#span = span;
    this.#spans = spans;
    this.#includeSensitive = includeSensitive;
  }

  get traceparent(): string | undefined {
    return this.#spans.current?.traceparent;
  }

  get root(): string {
    return this.#span.traceparent;
  }

  async run<Value>(turn: () => Promise<Value>): Promise<Value> {
    try {
      return await this.#spans.within(this.#span, turn);
    } finally {
      this.#spans.end(this.#span, this.#end?.attributes, this.#end?.error);
    }
  }

  step<Value>(step: TracedStep, effect: () => Promise<Value>): Promise<Value> {
    const span = this.#spans.begin(stepStart(step, this.#includeSensitive));
    const end = (value: Value): StepEnd => stepEnd(step, value, this.#includeSensitive);
    return spanned(this.#spans, { span, end }, effect);
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
    this.#end = { attributes: says.turnStatus(status), error: code };
  }
}

function turnStart(turn: TracedTurn, includeSensitive: boolean): SpanStart {
  const attributes =
    says.operation('invoke_agent') +
    says.agent(turn.agent) +
    says.conversation(turn.conversationId) +
    says.turn(turn.id) +
    says.channel(turn.channel) +
    (turn.tenant === undefined ? '' : says.tenant(turn.tenant)) +
    (turn.isContinued ? says.isContinued : '') +
    (includeSensitive ? saysOfUsers.user(turn.user) : '');
  return { name: `invoke_agent ${turn.agent}`, kind: 'internal', attributes };
}

/** The start of a call that another server has sent. It has no step above it. */
function callStart(call: TracedCall, includeSensitive: boolean): SpanStart {
  const name = shownName(call.name);
  const attributes =
    toolAttributes(name, call.callId) +
    says.channel(call.channel) +
    (call.tenant === undefined ? '' : says.tenant(call.tenant)) +
    (includeSensitive ? saysOfUsers.user(call.user) + saysOfUsers.toolArguments(written(call.argumentsValue)) : '');
  return { name: `execute_tool ${name}`, kind: 'server', attributes };
}

function toolAttributes(name: string, callId: string): Attributes {
  return says.operation('execute_tool') + says.toolName(name) + says.toolType('function') + says.toolCall(callId);
}

/** Arguments as JSON. They are not checked yet, so they may be nested more deeply than JSON can be written. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

function stepStart(step: TracedStep, includeSensitive: boolean): SpanStart {
  const kind = 'internal';
  switch (step.kind) {
    case 'prompt':
      return { name: `prompt ${step.part}`, kind, attributes: says.promptPart(step.part) };
    case 'guardrail':
      return {
        name: `apply_guardrail ${step.guardrail}`,
        kind,
        attributes: says.operation('apply_guardrail') + says.guardrail(step.guardrail),
      };
    case 'retrieval':
      return {
        name: `retrieval ${step.source}`,
        kind: 'client',
        attributes: says.operation('retrieval') + says.dataSource(step.source),
      };
    case 'tool': {
      const name = shownName(step.name);
      const attributes =
        toolAttributes(name, step.callId) + (includeSensitive ? saysOfUsers.toolArguments(step.arguments) : '');
      return { name: `execute_tool ${name}`, kind, attributes };
    }
    case 'agent': {
      const operation = step.of === 'team' ? 'invoke_workflow' : 'invoke_agent';
      const named = step.of === 'team' ? says.workflow(step.agent) : says.agent(step.agent);
      return {
        name: `${operation} ${step.agent}`,
        kind: step.of === 'remote' ? 'client' : kind,
        attributes: says.operation(operation) + named,
      };
    }
    case 'question': {
      const name = shownName(step.action);
      return {
        name: `confirmation ${name}`,
        kind,
        attributes: says.confirmation(step.actionId) + says.toolName(name),
      };
    }
  }
}

/** A name that a span may show. Models invent names and pages bring their own, so a name could contain what users said. */
function shownName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? meteredName(name) : 'unknown_tool';
}
