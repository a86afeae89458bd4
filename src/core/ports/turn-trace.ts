import type { AgentKind } from '../events/turn-event.ts';

/** What a trace is told about a turn. */
export interface TracedTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly agent: string;
  readonly channel: string;
  /** The user key: personal data. */
  readonly user: string;
  /** Undefined without `tenancy.claim`, and for a caller without a tenant. */
  readonly tenant: string | undefined;
  /** The W3C trace context the message came with, well-formed. */
  readonly traceparent: string | undefined;
  /** True when an earlier process, or the turn of a snapshot, has begun this turn. */
  readonly isContinued: boolean;
}

/** What a trace is told about a call of an action that came without a turn. */
export interface TracedCall {
  readonly callId: string;
  readonly name: string;
  /** What the caller's model wrote. Nothing has checked it. */
  readonly argumentsValue: unknown;
  readonly channel: string;
  /** The user key: personal data. */
  readonly user: string;
  /** Undefined without `tenancy.claim`, and for a caller without a tenant. */
  readonly tenant: string | undefined;
  /** The W3C trace context the call came with, well-formed. */
  readonly traceparent: string | undefined;
}

/** The value of a traced call. `text` and `told` are what its caller is given. */
export interface TracedOutcome {
  readonly status: string;
  readonly text?: string;
  readonly told?: string;
}

/** A part of a turn that takes time or is worth seeing. Other steps are not traced. */
export type TracedStep =
  | { readonly kind: 'prompt'; readonly part: 'message' | 'page' | 'files' | 'documents' | 'memory' | 'tools' }
  /** A check of a message or a reply. Its value is the verdict. For `scope`, the value says whether the message is out of scope. */
  | { readonly kind: 'guardrail'; readonly guardrail: 'input' | 'output' | 'scope' }
  /** The search of one source. Its value are the documents that are used. */
  | { readonly kind: 'retrieval'; readonly source: string }
  /** A call of a tool. Its value is the outcome of the call. `arguments` is what the model wrote. The model may have invented the name. */
  | { readonly kind: 'tool'; readonly callId: string; readonly name: string; readonly arguments: string }
  /** What an agent does to whom something was handed over. Its value says what came of it. */
  | { readonly kind: 'agent'; readonly agent: string; readonly of: AgentKind }
  /** The wait for the answer to a question. Its value is the decision. */
  | { readonly kind: 'question'; readonly actionId: string; readonly action: string };

/**
 * Traces turns, and calls that come without one, to show where their time goes (contract/operations.md#traces). It MUST NOT change them: it
 * runs each given function at once and exactly once, and gives the result of that function.
 */
export interface Tracing {
  begin(turn: TracedTurn): TurnTrace;
  /** Runs a call that came without a turn. `effect` gets the W3C trace context of that call, for requests to others. */
  call<Outcome extends TracedOutcome>(
    call: TracedCall,
    effect: (traceparent: string) => Promise<Outcome>,
  ): Promise<Outcome>;
}

/** The trace of one turn. */
export interface TurnTrace {
  /** The W3C trace context of the step that the caller runs in, for requests to others. */
  readonly traceparent: string | undefined;
  /** The W3C trace context of the whole turn. The work of another process on this turn belongs below it. */
  readonly root: string;
  /** Runs the whole turn. */
  run<Value>(turn: () => Promise<Value>): Promise<Value>;
  step<Value>(step: TracedStep, effect: () => Promise<Value>): Promise<Value>;
  /** Does what `step` does, for a synchronous step. */
  now<Value>(step: TracedStep, effect: () => Value): Value;
  /** Tells how the turn ended. `code` is set for a turn that was refused or failed. */
  ended(status: string, code: string | undefined): void;
}
