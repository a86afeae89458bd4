/** How a reply is checked in full: our own events, our own hub messages, or just every token in its order. */
export type ReplyFormat = 'helper-sse' | 'helper-hub' | 'tokens';

/** One closed-loop load: `concurrency` connections, each sends its next message when its reply has ended. */
export interface LoadJob {
  readonly port: number;
  readonly format: ReplyFormat;
  readonly path: string;
  /** The body of each POST; unused on the hub. */
  readonly body: string;
  /** The user's message on the hub; unused over SSE. */
  readonly message: string;
  readonly concurrency: number;
  readonly replies: number;
  /** The fake model's name, which says what each reply must hold. */
  readonly model: string;
  /** Milliseconds after which the job ends with the results so far and with a fault. */
  readonly limitMs: number;
}

/** Microseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** What one job measured. Any fault makes its figures worthless. */
export interface LoadResult {
  readonly replies: number;
  readonly seconds: number;
  readonly bytesPerReply: number;
  /** From the last byte of the request to the first token. */
  readonly firstToken: Percentiles;
  /** From the fake model's write to the client's read, of replies with timestamps. */
  readonly added: Percentiles;
  /** Replies whose every delta was compared with what the model sent. */
  readonly verified: number;
  readonly faults: readonly string[];
}

/** Hub connections that are opened and kept open until the client ends. */
export interface HoldJob {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
}

/** The result of opening the connections: how long it took. */
export interface HoldResult {
  readonly seconds: number;
  readonly faults: readonly string[];
}

/** Hub connections over several servers, which come back when they break. */
export interface ReturnJob {
  readonly ports: readonly number[];
  readonly path: string;
  readonly connections: number;
  /** Milliseconds after which those that are not back count as lost. */
  readonly limitMs: number;
}

/** How connections came back. */
export interface ReturnResult {
  readonly broken: number;
  readonly back: number;
  /** Milliseconds from the first that broke to the last that was back. */
  readonly backMs: number;
  /** The most attempts in any one second. */
  readonly askedPerSecond: number;
}

/** Parent to client. `go` starts the job whose connections `prepare` has opened. */
export type ClientOrder =
  | { readonly kind: 'prepare'; readonly job: LoadJob }
  | { readonly kind: 'go' }
  | { readonly kind: 'hold'; readonly job: HoldJob }
  | { readonly kind: 'stay'; readonly job: ReturnJob }
  | { readonly kind: 'returned' };

/** Client to parent. */
export type ClientReport =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'finished'; readonly result: LoadResult }
  | { readonly kind: 'held'; readonly result: HoldResult }
  | { readonly kind: 'returned'; readonly result: ReturnResult };
