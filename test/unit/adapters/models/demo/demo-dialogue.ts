import { DemoChatModel } from '../../../../../src/adapters/models/demo/demo-chat-model.ts';
import type { Language } from '../../../../../src/core/language/language.ts';
import type { ChatMessage, ModelReply, ToolDeclaration } from '../../../../../src/core/ports/chat-model.ts';
import type { MessageImage } from '../../../../../src/core/ports/message-image.ts';
import { shopPages, shopTitles, shopTools } from './shop-tools.ts';

/** Calls without their random ids. */
export type Calls = readonly { readonly name: string; readonly arguments: unknown }[];

/** Talks to the demo model as the server does: messages, calls and outcomes in one growing history. */
export class DemoDialogue {
  readonly #model: DemoChatModel;
  readonly #messages: ChatMessage[] = [];
  readonly #tools: readonly ToolDeclaration[];
  readonly deltas: string[] = [];
  #reply: ModelReply | undefined;

  constructor(options: { readonly language?: Language; readonly tools?: readonly ToolDeclaration[] } = {}) {
    this.#tools = options.tools ?? shopTools;
    this.#model = new DemoChatModel({
      language: options.language ?? 'English',
      appName: 'Order desk',
      appDescription: 'A small shop.',
      pages: () => shopPages,
      titleOf: (tool) => shopTitles[tool],
      wordDelayMs: 0,
    });
  }

  /** The calls that a message leads to. */
  async calls(text: string): Promise<Calls> {
    this.#messages.push({ role: 'user', text });
    await this.#run();
    return this.#lastCalls();
  }

  /** The words that a message leads to. */
  async says(text: string, images?: readonly MessageImage[]): Promise<string> {
    this.#messages.push({ role: 'user', text, ...(images && { images }) });
    return (await this.#run()).text;
  }

  /** Gives the model the outcomes of its last calls. Returns the model's text. `nextCalls` then has the next calls. */
  async outcome(...texts: readonly string[]): Promise<string> {
    for (const [index, text] of texts.entries()) {
      const call = this.#reply?.toolCalls[index];
      this.#messages.push({ role: 'tool', callId: call?.id ?? '', name: call?.name ?? '', text });
    }
    return (await this.#run()).text;
  }

  get nextCalls(): Calls {
    return this.#lastCalls();
  }

  #lastCalls(): Calls {
    return (this.#reply?.toolCalls ?? []).map((call) => ({
      name: call.name,
      arguments: JSON.parse(call.arguments) as unknown,
    }));
  }

  async #run(): Promise<ModelReply> {
    const reply = await this.#model.run(
      {
        instructions: 'You help.',
        messages: this.#messages,
        tools: this.#tools,
        toolChoice: 'auto',
        signal: new AbortController().signal,
        flow: { paused: false, onResume: () => undefined },
      },
      { text: (escaped) => void this.deltas.push(escaped) },
    );
    this.#messages.push({ role: 'assistant', text: reply.text, toolCalls: reply.toolCalls });
    this.#reply = reply;
    return reply;
  }
}
