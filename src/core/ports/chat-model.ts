import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { Origin } from '../events/origin.ts';
import type { MessageImage } from './message-image.ts';
import type { ProviderExtras } from './provider-extras.ts';
import type { Standing } from './remote-agent.ts';
import type { ApprovalGiven, ApprovalWanted, HostedOffer, HostedProgress, HostedReply } from './hosted-tools.ts';
import type { ChannelName, Influence } from '../events/turn-event.ts';
import type { SeenUser } from './seen-user.ts';

/** A tool the model asked for. `arguments` is the text the model wrote: it may be broken JSON. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The provider makes this call itself once the call is approved. When absent, this server makes the call. */
  readonly hosted?: ApprovalWanted;
}

/** Says that a provider keeps the conversation up to a reply (contract/sessions.md#history-of-the-provider). */
export interface HistoryMark {
  /** The provider's id of the reply. */
  readonly id: string;
  /** The model that keeps the conversation. The mark has no meaning for any other model. */
  readonly model: string;
  /** A digest of the instructions of the reply. A different digest shows that the instructions have changed since. */
  readonly instructions: string;
  /** The task of an agent on another server that waits for the next message. Absent where none waits. */
  readonly task?: string;
}

/**
 * One message of the history as the model sees it. Messages are immutable, so adapters may cache their wire form by identity. `origin` says
 * where the text came from. It is absent only in messages that version 1.0 saved. `influencedBy` names the untrusted texts in the message,
 * and the untrusted texts that the model had read when it wrote the message. It is absent when there are none.
 */
export type ChatMessage = {
  readonly origin?: Origin;
  readonly influencedBy?: readonly Influence[];
  /** The last message of a turn whose reply was withheld (contract/guardrails.md#replies). No model is sent this member. */
  readonly isWithheld?: true;
} & (
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly MessageImage[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      readonly mark?: HistoryMark;
      readonly extras?: ProviderExtras;
      /**
       * The reply as its provider wrote it, with the answers to its requests for approval. Only the call that sends these answers has it.
       */
      readonly answered?: { readonly items: readonly object[]; readonly approvals: readonly ApprovalGiven[] };
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      /** The author of the action vouches for the content of this result. */
      readonly trusted?: true;
      /** What the user typed into the question about this call. */
      readonly typed?: string;
      /** What later turns must know of the agents to whom the call has handed over. */
      readonly standing?: Standing;
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

/** The turn in which a model is asked. */
export interface AskingTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly user: SeenUser;
  readonly channel: ChannelName;
  /** The page that the user is on, as the client reports it. */
  readonly page:
    { readonly name: string; readonly title?: string; readonly url?: string; readonly data?: unknown } | undefined;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  /** This is the same array instance for as long as the tools are the same. Adapters cache its wire form by identity. */
  readonly tools: readonly ToolDeclaration[];
  /** Tools that the provider runs itself. A model that has none ignores them. */
  readonly hosted?: HostedOffer | undefined;
  /**
   * `none`: the model must answer in words although tools are declared. `required`: the model must call one of the tools. A model that does
   * not support this choice may answer in words all the same.
   */
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly signal: AbortSignal;
  readonly flow: ReadFlow;
  /** The W3C trace context of this call. It is sent to the provider. */
  readonly traceparent?: string | undefined;
  /** The tenant of the user for whom the model is asked. The call is counted for this tenant. The provider does not learn the tenant. */
  readonly tenant?: string | undefined;
  /** Follows each call that is made for this request. Plugins may make several, or none. Left out: nobody follows the calls. */
  readonly meter?: CallMeter | undefined;
  /** Called while a reply is read, with the number of further bytes of its text and its calls. MUST NOT throw. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** The turn that asks, for an agent in place of the model. Absent for models. */
  readonly turn?: AskingTurn | undefined;
  /**
   * Asks for a reply with as little variation as possible, whatever the model is configured with. A model without this setting ignores it.
   */
  readonly temperature?: 0 | undefined;
  /**
   * The instructions ask for one JSON object. A model that supports this format writes only JSON. Other models may still write something
   * else.
   */
  readonly format?: 'json' | undefined;
}

/** Follows the calls that are made for one request. Each model that is tried MUST tell its calls, and MUST tell each call once. */
export interface CallMeter {
  /** A call begins. `model` is the configured name of the model, `request` what it is sent. */
  began(model: string, request: ModelRequest): MeteredCall;
}

/** One call that a `CallMeter` follows. The methods MUST NOT throw. */
export interface MeteredCall {
  /** A piece of the text, JSON-escaped. */
  wrote(escaped: string): void;
  /** Further bytes of the text and the calls of the reply, as `ModelRequest.onRead` tells them. */
  read(bytes: number): void;
  replied(reply: ModelReply): void;
  /** The call ended without a reply. */
  failed(error: unknown): void;
}

/** Takes the reply while it is read. Called synchronously; MUST NOT throw. */
export interface ReplySink {
  /** A piece of the reply, JSON-escaped: exactly what stands between the quotes of a JSON string. */
  text(escaped: string): void;
  /** All text of this reply so far was no part of the answer. What is to be shown comes anew. */
  takeBack?(): void;
  /** What the model has thought before this reply, as plain text: once for a reply, before its text. Left out where nobody may see it. */
  thought?(text: string): void;
  /** Reports the progress of a call that the provider makes itself. */
  hosted?(progress: HostedProgress): void;
}

export interface ModelReply {
  /** The whole reply, unescaped. */
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** The part of `inputTokens` that the provider read from its cache. Absent when the provider does not say. */
    readonly cachedInputTokens?: number;
  };
  /** The model's name as the provider reported it, else as configured. */
  readonly model: string;
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  /** Present when the provider keeps the conversation up to this reply. */
  readonly mark?: HistoryMark;
  /** What the provider's own tools did for this reply; absent where they did nothing. */
  readonly hosted?: HostedReply;
  /** Present where the provider may want more of the reply back than its text and its calls. */
  readonly extras?: ProviderExtras;
  /** The reply as the provider wrote it. Present when the reply waits for approvals (`ModelToolCall.hosted`). */
  readonly items?: readonly object[];
}

/**
 * The model that answers. `run` MUST call `sink.text` in order and before it resolves. Once `signal` aborts, `run` MUST close its socket
 * within 100 ms and reject with the signal's reason. `run` rejects with `ModelError` for every fault of its own. `run` rejects with
 * `ContextExceeded`, before anything is read, when the turn does not fit the model.
 */
export interface ChatModel {
  /** The configured model id: what users, logs and metrics see. */
  readonly model: string;
  /** The provider for metrics (`openai`, `azure`, `demo`, a package name). */
  readonly provider: string;
  /** True for the embedded demo model, which the widget's header and the log must name as such. */
  readonly isDemo: boolean;
  /** Names the model in the extras of its replies. It is sent only its own. Absent for a model that writes none. */
  readonly extrasOf?: string;
  run(request: ModelRequest, sink: ReplySink): Promise<ModelReply>;
  /**
   * Opens the connection to the provider, and prepares the coordinator's instructions and tools, which each call sends. MUST NOT ask the
   * model anything. MUST end as soon as `signal` aborts. Rejects when the connection cannot be opened. Absent when there is nothing to
   * prepare.
   */
  warmUp?(coordinator: Pick<ModelRequest, 'instructions' | 'tools'>, signal: AbortSignal): Promise<void>;
  /** Closes the sockets and does not wait for them. */
  close(): Promise<void>;
}

export type ModelErrorCode = Extract<TurnErrorCode, `model_${string}`>;

/** The facts that are known about a fault, besides its code. */
interface ModelErrorFacts {
  readonly transient: boolean;
  readonly retryAfterMs?: number | undefined;
  /** What the provider refuses, where the same would be refused again: the key, or the request as it is. */
  readonly refused?: 'key' | 'request' | undefined;
  readonly words?: string | undefined;
  /** The HTTP status with which the provider answered. */
  readonly status?: number | undefined;
  /** The provider's own code, such as `model_not_found`. */
  readonly providerCode?: string | undefined;
  /** The part of the request that the provider names. */
  readonly param?: string | undefined;
}

/** The entry of `models` whose fault it is, and what its operator can do. */
export interface ModelFaultSite {
  readonly provider: string;
  readonly model: string;
  /** `models.NAME` */
  readonly entry: string;
  /** One sentence; absent where there is nothing to do. */
  readonly advice?: string | undefined;
}

/** What a line of the log says of a fault of a model beside its reason. Nothing of it is secret, or from what the model was sent. */
export type ModelFaultFields = Partial<ModelFaultSite> & Pick<ModelErrorFacts, 'status' | 'providerCode' | 'param'>;

/**
 * A fault of the model or of the connection to the model. The message is for logs. It contains no secret and nothing that the model was
 * sent.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** Whether the same request may be sent again: connection faults, 408, 429, 5xx. */
  readonly transient: boolean;
  /** Milliseconds that the provider asks this server to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** What the provider refuses, and would refuse again. A user can do nothing about this fault. */
  readonly refused: 'key' | 'request' | undefined;
  readonly status: number | undefined;
  readonly providerCode: string | undefined;
  readonly param: string | undefined;
  /** Set by whoever knows the entry of `models`. */
  site: ModelFaultSite | undefined;
  /** This field is private because a log writes every property of an error that it can read. */
  readonly #words: string | undefined;

  constructor(code: ModelErrorCode, message: string, options: ErrorOptions & ModelErrorFacts) {
    super(message, options);
    this.code = code;
    this.transient = options.transient;
    this.retryAfterMs = options.retryAfterMs;
    this.refused = options.refused;
    this.status = options.status;
    this.providerCode = options.providerCode;
    this.param = options.param;
    this.#words = options.words;
  }

  /** What a fault that takes the place of this one takes over. */
  get facts(): Omit<ModelErrorFacts, 'transient' | 'retryAfterMs'> & ErrorOptions {
    const { refused, status, providerCode, param, words, cause } = this;
    return { refused, status, providerCode, param, words, cause };
  }

  /** For the log. */
  get fields(): ModelFaultFields {
    const { status, providerCode, param } = this;
    return { ...this.site, status, providerCode, param };
  }

  /** The provider's own text about the fault, when the message does not contain it. The text may repeat what the provider was sent. */
  get words(): string | undefined {
    return this.#words;
  }
}
