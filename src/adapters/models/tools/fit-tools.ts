import type {
  ChatMessage,
  ModelReply,
  ModelRequest,
  ModelToolCall,
  ToolDeclaration,
} from '../../../core/ports/chat-model.ts';
import { type ArgumentSite, renamedArguments } from './argument-sites.ts';
import { fitSchema } from './fit-schema.ts';
import type { LeftOutTools } from './left-out-tools.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/** One tool as the provider takes it. */
interface FittedTool {
  readonly given: ToolDeclaration;
  readonly sent: ToolDeclaration;
  /** Undefined where all names of arguments stay. */
  readonly site: ArgumentSite | undefined;
}

/** The parameters of a tool as the provider takes them. */
interface FittedParameters extends Pick<FittedTool, 'site'> {
  readonly parameters: ToolDeclaration['parameters'];
}

interface FitToolsOptions {
  readonly model: string;
  readonly dialect: SchemaDialect;
  readonly leftOut: LeftOutTools;
}

/**
 * Makes lists of tools fit for one provider (contract/models.md#tools). A list is made once: the same list, with the same tools left out, gives the
 * same object.
 */
export class FitTools {
  readonly #options: FitToolsOptions;
  #lists = new WeakMap<readonly ToolDeclaration[], { readonly version: number; readonly list: FittedList }>();
  readonly #tools = new WeakMap<ToolDeclaration, { readonly longest: number; readonly tool: FittedTool }>();
  /** Layers of plugins make declarations anew, with the same parameters. */
  readonly #parameters = new WeakMap<object, FittedParameters>();
  #mostTools = Number.POSITIVE_INFINITY;
  #longestDescription = Number.POSITIVE_INFINITY;

  constructor(options: FitToolsOptions) {
    this.#options = options;
  }

  /** The tools of a list that the provider is sent. */
  of(tools: readonly ToolDeclaration[]): FittedList {
    const { leftOut, model } = this.#options;
    const { version } = leftOut;
    const known = this.#lists.get(tools);
    if (known?.version === version) return known.list;
    const sent = tools.filter((tool) => !leftOut.has(model, tool)).slice(0, this.#mostTools);
    const fitted = sent.map((tool) => this.#fitted(tool));
    const isSame = fitted.length === tools.length && fitted.every(({ given, sent: one }) => given === one);
    const list = new FittedList(isSame ? tools : Object.freeze(fitted.map(({ sent: one }) => one)), fitted);
    this.#lists.set(tools, { version, list });
    return list;
  }

  /** From now on no more tools are sent. Returns false when no more were sent anyway. */
  sendAtMost(count: number): boolean {
    if (count >= this.#mostTools) return false;
    this.#mostTools = count;
    this.#lists = new WeakMap();
    return true;
  }

  /** From now on no description is longer. */
  shortenTo(length: number): void {
    this.#longestDescription = Math.min(length, this.#longestDescription);
    this.#lists = new WeakMap();
  }

  #fitted(given: ToolDeclaration): FittedTool {
    const longest = this.#longestDescription;
    const known = this.#tools.get(given);
    if (known?.longest === longest) return known.tool;
    const { parameters, site } = this.#fittedParameters(given.parameters);
    const isSame = parameters === given.parameters;
    // Bedrock refuses an empty description.
    const description = (given.description === '' ? given.name : given.description).slice(0, longest);
    const sent =
      isSame && description === given.description
        ? given
        : Object.freeze({ name: given.name, description, parameters });
    const tool = { given, sent, site };
    this.#tools.set(given, { longest, tool });
    return tool;
  }

  #fittedParameters(given: ToolDeclaration['parameters']): FittedParameters {
    const known = this.#parameters.get(given);
    if (known !== undefined) return known;
    const { schema, site } = fitSchema(given, this.#options.dialect);
    const isSame = JSON.stringify(schema) === JSON.stringify(given);
    const fitted = { parameters: isSame ? given : schema, site: site.isRenamed ? site : undefined };
    this.#parameters.set(given, fitted);
    return fitted;
  }
}

/** The tools of one list as the provider takes them. */
export class FittedList {
  readonly tools: readonly ToolDeclaration[];
  readonly #fitted: readonly FittedTool[];
  readonly #sites: ReadonlyMap<string, ArgumentSite>;
  readonly #messages = new WeakMap<ChatMessage, ChatMessage>();

  constructor(tools: readonly ToolDeclaration[], fitted: readonly FittedTool[]) {
    this.tools = tools;
    this.#fitted = fitted;
    this.#sites = new Map(
      fitted.flatMap(({ given, site }) => (site === undefined ? [] : [[given.name, site] as const])),
    );
  }

  /** How long the longest description is. */
  get longestDescription(): number {
    return Math.max(0, ...this.tools.map(({ description }) => description.length));
  }

  /** The request with these tools. Calls of the conversation have the names that the provider knows. */
  request(request: ModelRequest): ModelRequest {
    if (this.tools === request.tools) return request;
    const messages = this.#sites.size === 0 ? request.messages : request.messages.map((message) => this.#sent(message));
    return { ...request, tools: this.tools, messages };
  }

  /** A reply whose calls have the names of their authors. */
  reply(reply: ModelReply): ModelReply {
    if (this.#sites.size === 0 || reply.toolCalls.length === 0) return reply;
    return { ...reply, toolCalls: reply.toolCalls.map((call) => this.#renamed(call, 'original')) };
  }

  /** The tools at these places, as they were given. */
  at(places: readonly number[]): readonly ToolDeclaration[] {
    return places.flatMap((place) => this.#fitted[place]?.given ?? []);
  }

  /** The tool that has the first of these names that any has, as it was given. */
  named(names: readonly string[]): readonly ToolDeclaration[] {
    const name = names.find((one) => this.#fitted.some(({ given }) => given.name === one));
    return this.#fitted.flatMap(({ given }) => (given.name === name ? [given] : []));
  }

  /** The given form of a tool that is sent. */
  given(sent: ToolDeclaration): ToolDeclaration | undefined {
    return this.#fitted[this.tools.indexOf(sent)]?.given;
  }

  #sent(message: ChatMessage): ChatMessage {
    if (message.role !== 'assistant' || !message.toolCalls.some(({ name }) => this.#sites.has(name))) return message;
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const sent = { ...message, toolCalls: message.toolCalls.map((call) => this.#renamed(call, 'sent')) };
    this.#messages.set(message, sent);
    return sent;
  }

  #renamed(call: ModelToolCall, direction: 'sent' | 'original'): ModelToolCall {
    const site = call.hosted === undefined ? this.#sites.get(call.name) : undefined;
    if (site === undefined) return call;
    return { ...call, arguments: renamedArguments(call.arguments, (value) => site[direction](value)) };
  }
}
