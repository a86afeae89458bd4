import { type ContextWindow, fitWindow } from '../../core/history/fit-window.ts';
import type { TokenEstimates } from '../../core/history/token-estimates.ts';
import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../core/ports/chat-model.ts';
import { ContextExceeded } from '../../core/ports/context-exceeded.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { around } from './around.ts';
import { givesApproval } from './gives-approval.ts';
import type { ServerWindow } from './local-window.ts';
import type { KnownWindow } from './model-windows.ts';
import { RequestTooLong } from './request-too-long.ts';

/** How often a request that the provider finds too long is shortened. */
const mostAgain = 2;

interface WindowServices {
  readonly estimates: TokenEstimates;
  readonly log: Logger;
  /** The name of the entry of `models`. */
  readonly entry: string;
  /** What this process knows of the window of the model. */
  readonly known: KnownWindow;
  /** Asks the server of the model for its window; undefined where nobody can be asked. */
  readonly server: ServerWindow | undefined;
}

/** How much a model is sent at most. */
interface Bound {
  /** The tokens that the model takes and gives. Infinity: what its entry says. */
  readonly told: number;
  /** The tokens that the model takes. */
  readonly most: number;
}

/**
 * Sends a model only as much as its context window holds (contract/models.md#the-context-window), and learns from the usage that the model
 * reports. Each entry has its own window, so a fallback with a smaller window is sent less. What the provider finds too long all the same is
 * sent again, shortened.
 */
export function withWindow(model: ChatModel, window: ContextWindow, services: WindowServices): ChatModel {
  const fitted = new FittedModel(model, window, services);
  return around(model, (request, sink) => fitted.run(request, sink));
}

/** Sends a model everything. What its provider finds too long is told as a turn that does not fit. */
export function withoutWindow(model: ChatModel): ChatModel {
  return around(model, async (request, sink) => {
    try {
      return await model.run(request, sink);
    } catch (error) {
      throw error instanceof RequestTooLong ? exceeded(error) : error;
    }
  });
}

class FittedModel {
  readonly #model: ChatModel;
  readonly #window: ContextWindow;
  readonly #services: WindowServices;

  constructor(model: ChatModel, window: ContextWindow, services: WindowServices) {
    this.#model = model;
    this.#window = window;
    this.#services = services;
  }

  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const { known, server } = this.#services;
    const asked = server?.tokens(request.signal);
    const ofServer = (asked instanceof Promise ? await asked : asked) ?? Infinity;
    const { told: learned, tooMany } = known.limit;
    let bound: Bound = { told: Math.min(learned, ofServer), most: tooMany };
    let refused = Infinity;
    let fault: RequestTooLong | undefined;
    for (let again = 0; ; again += 1) {
      try {
        const reply = await this.#send(request, sink, bound);
        if (fault !== undefined) {
          const told = bound.told < ofServer ? bound.told : Infinity;
          known.learn({ told, tooMany: hasImages(request.messages) ? Infinity : refused });
        }
        // The provider's own tools make several calls, whose tokens are told as one sum.
        if (reply.hosted === undefined) known.took(reply.usage.inputTokens);
        return reply;
      } catch (error) {
        // The words of the provider say more than that half of the request does not fit.
        if (error instanceof ContextExceeded && fault !== undefined) throw exceeded(fault);
        if (!(error instanceof RequestTooLong)) throw error;
        if (again === mostAgain || givesApproval(request)) throw exceeded(error);
        fault = error;
        const sent = this.#tokensOf(request, bound);
        this.#warn(fault, sent);
        const told = this.#toldBy(fault, request, { bound, sent });
        // Half of the request is sent where the provider does not tell its limit, or was heeded already.
        if (told === undefined) refused = sent;
        bound = told ?? { ...bound, most: Math.floor(sent / 2) };
      }
    }
  }

  /** Sends no more than the bound allows. */
  async #send(request: ModelRequest, sink: ReplySink, bound: Bound): Promise<ModelReply> {
    const { estimates, log } = this.#services;
    const { model } = this.#model;
    const { messages, estimated } = this.#fitted(request, bound);
    const isShorter = messages !== request.messages;
    if (isShorter) log.info({ model, messages: messages.length }, 'older messages were left out or shortened');
    const reply = await this.#model.run(isShorter ? { ...request, messages } : request, sink);
    // The cost of an image is known too roughly to learn from it. The amount that the provider's own tools have read is not known at all.
    const isEstimable = !hasImages(messages) && reply.hosted === undefined;
    if (estimated !== undefined && isEstimable) estimates.learn(model, estimated, reply.usage.inputTokens);
    return reply;
  }

  #fitted(request: ModelRequest, { told, most }: Bound): ReturnType<typeof fitWindow> {
    let window = this.#window;
    if (told < window.contextWindow) window = { contextWindow: told, maxOutputTokens: atMostHalf(window, told) };
    const { contextWindow, maxOutputTokens } = window;
    const smaller = { contextWindow: most + (maxOutputTokens ?? 0), maxOutputTokens: maxOutputTokens ?? 0 };
    return fitWindow(request, most < contextWindow ? smaller : window, {
      estimates: this.#services.estimates,
      model: this.#model.model,
    });
  }

  /** How much to send by the limit that a refusal tells; undefined where that is no less than was sent. */
  #toldBy(
    { takes = Infinity }: RequestTooLong,
    request: ModelRequest,
    { bound, sent }: { readonly bound: Bound; readonly sent: number },
  ): Bound | undefined {
    if (takes >= Math.min(bound.told, this.#window.contextWindow)) return undefined;
    const told = { ...bound, told: takes };
    try {
      return this.#tokensOf(request, told) < sent ? told : undefined;
    } catch {
      // The newest turn alone does not fit, which sending it will tell.
      return told;
    }
  }

  /** How many tokens are sent within a bound, by the estimate. @throws ContextExceeded when the newest turn alone does not fit. */
  #tokensOf(request: ModelRequest, bound: Bound): number {
    const { estimates } = this.#services;
    const { messages } = this.#fitted(request, bound);
    const counted = messages.reduce((sum, message) => sum + estimates.ofMessage(message), 0);
    return Math.ceil((counted + estimates.besideMessages(request)) * estimates.factor(this.#model.model));
  }

  /** Tells the log once that the model takes less than its entry says. */
  #warn({ takes }: RequestTooLong, tokens: number): void {
    const { log, entry, known } = this.#services;
    const { model } = this.#model;
    const { contextWindow } = this.#window;
    if (known.isWarnedOf || (takes ?? 0) >= contextWindow) return;
    known.isWarnedOf = true;
    if (takes === undefined) {
      const words = 'the model takes less than contextWindow says: set it to what it takes';
      log.warn({ model, entry: `models.${entry}`, contextWindow, tokens }, words);
    } else {
      const words = `the model takes ${String(takes)} tokens, and contextWindow of models.${entry} is ${String(contextWindow)}: set it to ${String(takes)}`;
      log.warn({ model, entry: `models.${entry}`, contextWindow, takes }, words);
    }
  }
}

/** The tokens that are kept free for the answer in a window that is smaller than that of the entry, which may keep more than fits there. */
function atMostHalf({ maxOutputTokens }: ContextWindow, contextWindow: number): number | undefined {
  return maxOutputTokens === undefined ? undefined : Math.min(maxOutputTokens, Math.floor(contextWindow / 2));
}

function hasImages(messages: ModelRequest['messages']): boolean {
  return messages.some((message) => message.role === 'user' && message.images !== undefined);
}

function exceeded(cause: RequestTooLong): ContextExceeded {
  return new ContextExceeded(cause.message, { cause });
}
