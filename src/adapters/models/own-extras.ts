import { isDeeperThan, maxArgumentLevels } from '../../core/base/json-depth.ts';
import { hasExtras, withoutExtras } from '../../core/history/message-extras.ts';
import {
  type ChatMessage,
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
} from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ProviderExtras } from '../../core/ports/provider-extras.ts';
import { around } from './around.ts';
import { givesApproval } from './gives-approval.ts';
import { InterruptedReply } from './interrupted-reply.ts';
import { byteLength, type ReplyMeter } from './reply-limits.ts';

/** The most bytes of thoughts and signatures that are kept of one reply. */
export const maxExtrasBytes = 1024 * 1024;

/** What a refusal speaks of that is about the extras. */
const ofExtras = /reasoning|thinking|signature|\brs_/i;

/**
 * Sends a model only the extras that it has written itself (contract/models.md#what-comes-back). Other messages keep their identity, by
 * which models cache their work. A request that is refused for the extras is sent once more without them.
 */
export function withOwnExtras(model: ChatModel, { extrasOf }: Pick<ChatModel, 'extrasOf'>): ChatModel {
  const stripped = new WeakMap<ChatMessage, ChatMessage>();
  const isForeign = (message: ChatMessage): boolean => hasExtras(message) && message.extras.of !== extrasOf;
  const own = (message: ChatMessage): ChatMessage => {
    if (!isForeign(message)) return message;
    const known = stripped.get(message) ?? withoutExtras(message);
    stripped.set(message, known);
    return known;
  };
  return around(model, async (request, sink) => {
    const sent = request.messages.some(isForeign) ? { ...request, messages: request.messages.map(own) } : request;
    try {
      return await model.run(sent, sink);
    } catch (error) {
      const mayGoWithout = sent.messages.some(hasExtras) && isRefusedFor(error, ofExtras) && !givesApproval(request);
      if (!mayGoWithout) throw error;
      return model.run({ ...sent, messages: sent.messages.map(withoutExtras) }, sink);
    }
  });
}

/** Whether a provider refuses a request, before it has begun to reply, and speaks of this. */
export function isRefusedFor(error: unknown, named: RegExp): boolean {
  if (!(error instanceof ModelError) || error instanceof InterruptedReply || error.transient) return false;
  return / (?:400|404|422)\b/.test(error.message) && named.test(`${error.message} ${error.words ?? ''}`);
}

/** Counts the bytes of the extras while a reply is read. Over the limit nothing of them is kept, and nothing that is nested too deeply. */
export class ExtrasRoom {
  readonly #meter: Pick<ReplyMeter, 'keepBeside'>;
  #bytes = 0;

  constructor(meter: Pick<ReplyMeter, 'keepBeside'>) {
    this.#meter = meter;
  }

  get isFull(): boolean {
    return this.#bytes > maxExtrasBytes;
  }

  /** Whether there is room for this value as JSON. @throws ReplyTooLarge. */
  takesJson(value: unknown): boolean {
    return !isDeeperThan(maxArgumentLevels, value) && this.takes(byteLength(JSON.stringify(value)));
  }

  /** Whether there is room for this many bytes more. @throws ReplyTooLarge. */
  takes(bytes: number): boolean {
    if (this.isFull) return false;
    this.#bytes += bytes;
    const fits = this.#bytes <= maxExtrasBytes;
    if (fits) this.#meter.keepBeside(bytes);
    return fits;
  }
}

/** What a reply has beside its text and its calls, in the form of an adapter. */
export interface ReadExtras {
  /** Undefined where the model has written none, or too much. */
  readonly content: ProviderExtras['content'] | undefined;
  /** Whether they were too large to be kept. */
  readonly isTooLarge: boolean;
}

/**
 * Adds the extras to a reply. Providers want those of a turn with calls, so the extras of all other replies are left out.
 */
export function withExtras(
  reply: ModelReply,
  { content, isTooLarge }: ReadExtras,
  about: {
    readonly of: string;
    readonly request: Pick<ModelRequest, 'messages'>;
    readonly log: Pick<Logger, 'debug'>;
  },
): ModelReply {
  if (reply.toolCalls.length === 0 && !isAfterCalls(about.request)) return reply;
  if (isTooLarge)
    about.log.debug({ model: reply.model, maxBytes: maxExtrasBytes }, 'thoughts of a model are too large to be kept');
  return content === undefined || isTooLarge ? reply : { ...reply, extras: { of: about.of, content } };
}

/** Whether the newest turn has results of calls already. */
function isAfterCalls({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.findLastIndex(({ role }) => role === 'tool') > messages.findLastIndex(({ role }) => role === 'user');
}
