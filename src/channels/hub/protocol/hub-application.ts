import type { FastifyRequest } from 'fastify';
import type { Ending } from './connection/ending.ts';
import type { HubConnection } from './connection/hub-connection.ts';

/** One call of a hub method. */
export interface HubCall {
  readonly connection: HubConnection;
  /** As the client sent them: unknown types, trailing ones may be missing, never more than the method's `parameters`. */
  readonly arguments: readonly unknown[];
  /** The trace context among its headers, as the client sent it. */
  readonly traceparent: string | undefined;
  /** Aborted when the client cancels this call or stream; a lost connection does not abort it. */
  readonly signal: AbortSignal;
  /** Lets go of the arguments once they were read: they may be large, and a call may run for long. */
  forgetArguments(): void;
  /** Runs right after the result was queued, so that what is sent then comes after it. */
  afterResult(callback: () => void): void;
}

/** A method that is answered once. What it returns (or resolves to) is the result; `undefined` becomes `null`. */
export interface InvocationMethod<State> {
  readonly kind: 'invocation';
  /** How many arguments it knows; a call with more of them is refused. */
  readonly parameters: number;
  /** True: runs at once, beside others. Otherwise one call runs at a time per connection, in order. */
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

/** What runs on the hub. The protocol knows nothing else of it. */
export interface HubApplication<State> {
  /** By name, as documented; clients may spell them in any case. */
  readonly methods: Readonly<Record<string, HubMethod<State>>>;
  /** The handshake is done; nothing was sent yet but its answer. What it returns is handed to each call. */
  connected(connection: HubConnection, request: FastifyRequest): State;
  /** The caller of a connection has shown a new credential with `request`; it is the same caller. */
  renewed?(state: State, request: FastifyRequest): void;
  /** The line of a connection had broken, and its client has taken it up again. */
  cameBack?(state: State): void;
  /** Called once for each `connected`, as soon as the end is known; nothing can be sent any more. */
  disconnected(state: State, ending: Ending): void;
}
