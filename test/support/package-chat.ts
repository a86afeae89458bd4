import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

/** What a package streams for one call, or the error that it throws. */
export type PackageScript = readonly object[] | Error;

/** A LangChain chat model that streams what the test says, as the packages of providers do, and notes what it is sent. */
export class PackageChat extends BaseChatModel {
  readonly sent: (readonly BaseMessage[])[] = [];
  readonly #scripts: PackageScript[];
  #url: string | undefined;
  #fault: Error | undefined;

  constructor(...scripts: readonly PackageScript[]) {
    super({ maxRetries: 0 });
    this.#scripts = [...scripts];
  }

  /** Fetches this address before each reply, as the packages of providers do. */
  fetching(url: string | undefined): this {
    this.#url = url;
    return this;
  }

  /** Fails with this after each fetch. */
  failing(error: Error): this {
    this.#fault = error;
    return this;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override _generate(): Promise<ChatResult> {
    return Promise.reject(new Error('replies are streamed'));
  }

  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    this.sent.push(messages);
    const script = this.#scripts.shift() ?? [{ content: 'OK' }];
    if (script instanceof Error) throw script;
    if (this.#url !== undefined) await (await fetch(this.#url, { method: 'POST', body: '{}' })).text();
    if (this.#fault !== undefined) throw this.#fault;
    for (const fields of script) {
      await Promise.resolve();
      yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk(fields) });
    }
  }
}
