import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Resource } from '../open-resources.ts';

/** The model of now, which a reload replaces. It closes each of its models once. */
export class LiveModel implements Resource {
  readonly name = 'model';
  #current: ChatModel;
  readonly #open = new Set<ChatModel>();

  constructor(first: ChatModel) {
    this.#current = first;
    this.#open.add(first);
  }

  get current(): ChatModel {
    return this.#current;
  }

  /**
   * Goes on with another model. Resolves once the earlier model is closed, which waits for `unused`: turns that run keep the model
   * that they began with.
   */
  async replace(next: ChatModel, unused: Promise<void>): Promise<void> {
    const earlier = this.#current;
    this.#current = next;
    this.#open.add(next);
    await unused;
    await this.#closeOne(earlier);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((model) => this.#closeOne(model)));
  }

  async #closeOne(model: ChatModel): Promise<void> {
    if (this.#open.delete(model)) await model.close();
  }
}
