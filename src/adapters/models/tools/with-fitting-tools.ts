import type {
  ChatModel,
  ModelReply,
  ModelRequest,
  ReplySink,
  ToolDeclaration,
} from '../../../core/ports/chat-model.ts';
import { untilStopped } from '../../../core/base/until-stopped.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { givesApproval } from '../gives-approval.ts';
import { FitTools, type FittedList } from './fit-tools.ts';
import type { LeftOutTools } from './left-out-tools.ts';
import type { SchemaDialect } from './schema-dialect.ts';
import { ToolsRefused } from './tools-refused.ts';

/** Most times that one request is sent anew. A provider that names other tools each time refuses something else. */
const mostAnew = 16;
/** Most tools that one request looks for by halving. */
const mostSearched = 3;
/** The most tools that OpenAI and those like it take. */
export const usualMostTools = 128;

export interface FittingToolsOptions {
  readonly dialect: SchemaDialect;
  readonly leftOut: LeftOutTools;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Sends a model the tools as its provider takes them, and goes on without those that the provider refuses (contract/models.md#tools). Callers know
 * nothing of that: calls come back with the names of arguments that their tools declare.
 */
export function withFittingTools(model: ChatModel, { dialect, leftOut, log }: FittingToolsOptions): ChatModel {
  const fit = new FitTools({ model: model.model, dialect, leftOut });
  const services: CallServices = {
    ...{ model, fit, leftOut, log },
    inVain: new WeakSet(),
    searching: new WeakMap(),
  };
  return {
    model: model.model,
    provider: model.provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    ...(model.warmUp && {
      warmUp: (coordinator, signal) =>
        model.warmUp?.({ ...coordinator, tools: fit.of(coordinator.tools).tools }, signal) ?? Promise.resolve(),
    }),
    run: (request, sink) =>
      request.tools.length === 0 ? model.run(request, sink) : new FittedCall(services, request, sink).run(),
  };
}

interface CallServices extends Omit<FittingToolsOptions, 'dialect'> {
  readonly model: ChatModel;
  readonly fit: FitTools;
  /** The lists for which halving has found nothing. They are not searched again. */
  readonly inVain: WeakSet<readonly ToolDeclaration[]>;
  /** The searches that run, by the lists as they are sent. Turns that are refused meanwhile wait for them. */
  readonly searching: WeakMap<readonly ToolDeclaration[], Promise<ToolDeclaration | undefined>>;
}

/** One request, which is sent anew without the tools that the provider refuses. */
class FittedCall {
  readonly #services: CallServices;
  readonly #request: ModelRequest;
  readonly #sink: ReplySink;
  /** Tools that halving has found. */
  readonly #found: ToolDeclaration[] = [];
  /** Tools that the provider has named. A refusal may repeat the words of a user, who may name tools as well. */
  readonly #named: ToolDeclaration[] = [];
  /** The most tools that the provider says it takes. */
  #most = Number.POSITIVE_INFINITY;

  constructor(services: CallServices, request: ModelRequest, sink: ReplySink) {
    this.#services = services;
    this.#request = request;
    this.#sink = sink;
  }

  async run(): Promise<ModelReply> {
    const { model } = this.#services;
    for (let sent = 1; ; sent += 1) {
      const list = this.#list();
      try {
        const reply = await model.run(list.request(this.#request), this.#sink);
        this.#isSo();
        return list.reply(reply);
      } catch (error) {
        if (!(error instanceof ToolsRefused) || givesApproval(this.#request)) throw error;
        if (sent > mostAnew) {
          // Where the tools are refused without the conversation as well, the next request begins with fewer of them.
          if ((await this.#isTaken(list.tools)) === false) this.#leaveOut(this.#named);
          throw error;
        }
        if (!this.#goesOn(error, list) && !(await this.#search(list))) throw error;
      }
    }
  }

  #list(): FittedList {
    const { fit, leftOut, model } = this.#services;
    const { tools } = this.#request;
    const without = [...this.#found, ...this.#named];
    if (without.length === 0 && this.#most === Number.POSITIVE_INFINITY) return fit.of(tools);
    const kept = tools.filter((tool) => !without.includes(tool) && !leftOut.has(model.model, tool));
    return fit.of(kept.slice(0, this.#most));
  }

  /** The provider has taken the request: what it was sent without, all others are sent without from now on. */
  #isSo(): void {
    this.#leaveOut([...this.#found, ...this.#named]);
    this.#services.fit.sendAtMost(this.#most);
  }

  /** Does what a refusal asks for. Returns false when it names nothing that can be done. */
  #goesOn({ parts }: ToolsRefused, list: FittedList): boolean {
    const { fit, model, log } = this.#services;
    if (parts.tooMany !== undefined) {
      const most = mostOf(parts.tooMany.most, list.tools.length);
      const fields = { model: model.model, tools: list.tools.length, sent: most };
      log.warn(fields, 'the model takes fewer tools than there are: the last ones are left out');
      if (most > 0) this.#most = most;
      return most > 0;
    }
    // Others may have learned the length while this request was under way.
    if (parts.longestDescription !== undefined && list.longestDescription > parts.longestDescription) {
      fit.shortenTo(parts.longestDescription);
      return true;
    }
    const refused = parts.places.length > 0 ? list.at(parts.places) : list.named(parts.quoted);
    this.#named.push(...refused);
    return refused.length > 0;
  }

  #leaveOut(tools: readonly ToolDeclaration[]): void {
    const { leftOut, model } = this.#services;
    for (const tool of tools) leftOut.add(model.model, tool);
  }

  /** Finds one tool that the provider refuses. Returns false when none was found, or enough have been found in vain. */
  async #search(list: FittedList): Promise<boolean> {
    const { inVain } = this.#services;
    const { tools } = this.#request;
    if (inVain.has(tools) || list.tools.length === 0) return false;
    const found = this.#found.length < mostSearched ? await this.#searched(list) : undefined;
    if (found === undefined) {
      inVain.add(tools);
      return false;
    }
    this.#found.push(found);
    return true;
  }

  /** What a search in this list finds. One that runs already is waited for, unless it is given up. */
  async #searched(list: FittedList): Promise<ToolDeclaration | undefined> {
    const { searching } = this.#services;
    const running = searching.get(list.tools);
    if (running !== undefined) {
      const found = await untilStopped(
        running.catch(() => undefined),
        this.#request.signal,
      );
      if (found !== undefined) return found;
    }
    const own = this.#refusedAmong(list);
    searching.set(list.tools, own);
    return own.finally(() => searching.delete(list.tools));
  }

  /** Halves the list until one tool is left. Each half is sent with a message of its own, whose reply nobody waits for. */
  async #refusedAmong(list: FittedList): Promise<ToolDeclaration | undefined> {
    let suspects = list.tools;
    while (suspects.length > 1) {
      const half = Object.freeze(suspects.slice(0, Math.ceil(suspects.length / 2)));
      const isTaken = await this.#isTaken(half);
      if (isTaken === undefined) return undefined;
      suspects = isTaken ? suspects.slice(half.length) : half;
    }
    const [suspect] = suspects;
    return suspect && list.given(suspect);
  }

  /** Whether the provider takes these tools. Undefined where it fails in another way. */
  async #isTaken(tools: readonly ToolDeclaration[]): Promise<boolean | undefined> {
    const { signal, tenant, traceparent } = this.#request;
    const heard = new AbortController();
    const probe: ModelRequest = {
      ...{
        instructions: '',
        messages: [{ role: 'user', text: 'Hello', origin: 'operator' }],
        tools,
        toolChoice: 'auto',
      },
      ...{ signal: AbortSignal.any([signal, heard.signal]), tenant, traceparent },
      flow: { paused: false, onResume: () => undefined },
    };
    try {
      await this.#services.model.run(probe, { text: () => heard.abort(new Error('the tools are taken')) });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (heard.signal.aborted) return true;
      return error instanceof ToolsRefused ? false : undefined;
    }
  }
}

/** How many tools to send where so many were too many. Most providers take 128; another that tells no number takes at least half. */
function mostOf(told: number | undefined, sent: number): number {
  if (told !== undefined && told < sent) return told;
  return sent > usualMostTools ? usualMostTools : Math.floor(sent / 2);
}
