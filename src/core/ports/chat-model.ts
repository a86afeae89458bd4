import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { Origin } from '../events/origin.ts';
import type { ApprovalGiven, ApprovalWanted, HostedOffer, HostedProgress, HostedReply } from './hosted-tools.ts';
import type { Influence } from '../events/turn-event.ts';

/** A tool the model asked for. `arguments` is the text the model wrote: it may be broken JSON. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The provider makes this call itself once it is approved. Left out, this server makes it. */
  readonly hosted?: ApprovalWanted;
}

/** A picture that the user sends. Its media type was read from its content. */
export interface MessageImage {
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  readonly data: string;
}

/** Says that a provider keeps the conversation up to a reply (contract/sessions.md#history-of-the-provider). */
export interface HistoryMark {
  /** The provider's id of the reply. */
  readonly id: string;
  /** The model that keeps it; to any other the mark says nothing. */
  readonly model: string;
  /** Tells the instructions that the reply was written under from others. */
  readonly instructions: string;
}

/**
 * One message of the history as the model sees it. Immutable: adapters may cache its wire form by identity. `origin`: where
 * its text came from; absent only in what version 1.0 has saved. `influencedBy`: the untrusted texts that stand in the message, or
 * that its author, a model, had read; absent where there are none.
 */
export type ChatMessage = { readonly origin?: Origin; readonly influencedBy?: readonly Influence[] } & (
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly MessageImage[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      readonly mark?: HistoryMark;
      /** The reply as its provider wrote it, with the answers to its requests: only for the call that answers them. */
      readonly answered?: { readonly items: readonly object[]; readonly approvals: readonly ApprovalGiven[] };
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      /** The result of an action whose author vouches for what stands in it. */
      readonly trusted?: true;
      /** What the user typed into the question about this call. */
      readonly typed?: string;
    }
);

/** A tool as it is declared to the model. `parameters` is a JSON Schema of type object. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Lets a slow reader hold back the model's socket (contract/events.md#slow-readers). The model adapter MUST stop reading while `paused` and
 * go on when `onResume` calls back.
 */
export interface ReadFlow {
  readonly paused: boolean;
  /** Registers the one callback that is called when `paused` turns false. */
  onResume(callback: () => void): void;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  /** The same array instance for as long as the tools are the same: adapters cache its wire form by identity. */
  readonly tools: readonly ToolDeclaration[];
  /** Tools that the provider runs itself. A model that has none ignores them. */
  readonly hosted?: HostedOffer | undefined;
  /**
   * `none`: the model must answer in words although tools are declared. `required`: it must call one of them. Models that cannot be held
   * to that may answer in words all the same.
   */
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly signal: AbortSignal;
  readonly flow: ReadFlow;
  /** The W3C trace context that the call goes on in; sent to the provider. */
  readonly traceparent?: string | undefined;
  /** The tenant of the user for whom the model is asked: the call is counted for it, and the provider is told nothing of it. */
  readonly tenant?: string | undefined;
  /** Told by the model that has answered, of several that were tried, how it is configured and what it has taken. */
  readonly onUsage?: ((model: string, usage: ModelReply['usage']) => void) | undefined;
  /** The reply is worded as little freely as can be, whatever the model is configured with. A model that cannot do that ignores it. */
  readonly temperature?: 0 | undefined;
  /** The instructions ask for one JSON object. A model that can be held to that is; others may still write something else. */
  readonly format?: 'json' | undefined;
}

/** Takes the reply while it is read. Called synchronously; MUST NOT throw. */
export interface ReplySink {
  /** A piece of the reply, JSON-escaped: exactly what stands between the quotes of a JSON string. */
  text(escaped: string): void;
  /** How a call of the provider gets on. */
  hosted?(progress: HostedProgress): void;
}

export interface ModelReply {
  /** The whole reply, unescaped. */
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Of the input tokens, those that the provider has read from its cache; absent when it does not say. */
    readonly cachedInputTokens?: number;
  };
  /** The model's name as the provider reported it, else as configured. */
  readonly model: string;
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  /** Present when the provider keeps the conversation up to this reply. */
  readonly mark?: HistoryMark;
  /** What the provider's own tools did for this reply; absent where they did nothing. */
  readonly hosted?: HostedReply;
  /** The reply as the provider wrote it; present when it waits for approvals (`ModelToolCall.hosted`). */
  readonly items?: readonly object[];
}

/**
 * The model that answers. `run` MUST call `sink.text` in order and before it resolves, MUST close its socket within
 * 100 ms once `signal` aborts (and reject with the signal's reason), and rejects with `ModelError` for every fault of its own; with
 * `ContextExceeded` before anything is sent when the turn does not fit it.
 */
export interface ChatModel {
  /** The configured model id: what users, logs and metrics see. */
  readonly model: string;
  /** The provider for metrics (`openai`, `azure`, `demo`, a package name). */
  readonly provider: string;
  /** True for the embedded demo model, which the widget's header and the log must name as such. */
  readonly isDemo: boolean;
  run(request: ModelRequest, sink: ReplySink): Promise<ModelReply>;
  /**
   * Opens the way to the provider, and makes ready what each call sends of the coordinator. MUST ask the model nothing, and end as soon as
   * `signal` aborts. Rejects when the way cannot be opened. Left out, there is nothing to make ready.
   */
  warmUp?(coordinator: Pick<ModelRequest, 'instructions' | 'tools'>, signal: AbortSignal): Promise<void>;
  /** Closes sockets and waits for none. */
  close(): Promise<void>;
}

export type ModelErrorCode = Extract<TurnErrorCode, `model_${string}`>;

/** What is known of a fault beside its code. */
interface ModelErrorFacts {
  readonly transient: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly isKeyRefused?: boolean;
  readonly words?: string | undefined;
}

/**
 * A fault of the model or of the way to it. The message is for logs: it names no secret, and repeats nothing that the model was sent.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** Whether the same request may be sent again: connection faults, 408, 429, 5xx. */
  readonly transient: boolean;
  /** What the provider asked us to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** The provider does not take our credential: nothing that a user does helps. */
  readonly isKeyRefused: boolean;
  /** Private, for a log writes down all that it can read of an error. */
  readonly #words: string | undefined;

  constructor(code: ModelErrorCode, message: string, options: ErrorOptions & ModelErrorFacts) {
    super(message, options);
    this.code = code;
    this.transient = options.transient;
    this.retryAfterMs = options.retryAfterMs;
    this.isKeyRefused = options.isKeyRefused ?? false;
    this.#words = options.words;
  }

  /** What the provider says of the fault, where the message does not say it: it may repeat what it was sent. */
  get words(): string | undefined {
    return this.#words;
  }
}
