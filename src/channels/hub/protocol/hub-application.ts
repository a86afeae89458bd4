import type { FastifyRequest } from 'fastify';
import type { Ending } from './connection/ending.ts';
import type { HubConnection } from './connection/hub-connection.ts';

/** One call of a hub method. */
export interface HubCall {
  readonly connection: HubConnection;
  /**
   * The arguments as the client sent them: of unknown types, and never more than the method's `parameters`. Arguments at the end may be
   * missing.
   */
  readonly arguments: readonly unknown[];
  /** The trace context from the headers of the call, as the client sent it. */
  readonly traceparent: string | undefined;
  /** Aborted when the client cancels this call or stream; a lost connection does not abort it. */
  readonly signal: AbortSignal;
  /** Lets go of the arguments once they were read: they may be large, and a call may run for long. */
  forgetArguments(): void;
  /** Calls `callback` right after the result was queued. What it sends comes after the result. */
  afterResult(callback: () => void): void;
}

/** A method that is answered once. Its return value, or the value of its promise, is the result; `undefined` becomes `null`. */
export interface InvocationMethod<State> {
  readonly kind: 'invocation';
  /** How many arguments it knows; a call with more of them is refused. */
  readonly parameters: number;
  /** True: a call runs at once, beside other calls. False: the calls of a connection run one after the other. */
  readonly concurrent: boolean;
  invoke(state: State, call: HubCall): unknown;
}

/** A method that is answered with a stream of items, and ends when the returned promise resolves. */
export interface StreamMethod<State> {
  readonly kind: 'stream';
  readonly parameters: number;
  open(state: State, call: HubCall, items: StreamItems): Promise<void>;
}

/** Where a stream's items go. */
export interface StreamItems {
  send(item: unknown): void;
  /** Like `send`, for an item that is serialised already: the hot path, nothing is serialised twice. */
  sendJson(json: string): void;
}

/** One method of a hub. Throw `HubArgumentError` for wrong arguments and `HubError` for what the caller shall read. */
export type HubMethod<State> = InvocationMethod<State> | StreamMethod<State>;

/** The application on the hub. The protocol knows nothing else of it. */
export interface HubApplication<State> {
  /** The methods by their documented names. Clients may write the names in upper or lower case. */
  readonly methods: Readonly<Record<string, HubMethod<State>>>;
  /** Called after the handshake, when only the answer to the handshake was sent. Each call gets the returned state. */
  connected(connection: HubConnection, request: FastifyRequest): State;
  /** Called when the same caller has shown a new credential with `request`. */
  renewed?(state: State, request: FastifyRequest): void;
  /** Called when the client of a broken connection has continued it. */
  cameBack?(state: State): void;
  /** Called once for each `connected`, as soon as the end is known; nothing can be sent any more. */
  disconnected(state: State, ending: Ending): void;
}
