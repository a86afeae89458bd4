/** A call as it was sent; without an `invocationId` it is never answered, not even with an error. */
export interface Invocation {
  readonly kind: 'invocation' | 'stream-invocation';
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly invocationId: string | undefined;
  /** Ids of streams the client wants to upload along with the call. */
  readonly streamIds: readonly unknown[];
  /** The trace context of the call, as the client sent it. */
  readonly traceparent?: string | undefined;
}

/** The client's answer to a call of the server. */
export interface ClientCompletion {
  readonly kind: 'completion';
  readonly invocationId: string;
  /** Undefined: the call succeeded. */
  readonly error: string | undefined;
  readonly result: unknown;
}

/** The number of a message (stateful reconnect). */
interface Numbered {
  readonly sequenceId: number;
}

/** The messages of a client after the handshake. `ignored`: a message that this server does not use, or whose type it does not know. */
export type ClientMessage =
  | Invocation
  | ClientCompletion
  | { readonly kind: 'cancel-invocation'; readonly invocationId: string }
  | { readonly kind: 'stream-item' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }
  | ({ readonly kind: 'ack' } & Numbered)
  | ({ readonly kind: 'sequence' } & Numbered)
  | { readonly kind: 'ignored' };
