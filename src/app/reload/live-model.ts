import type { ChatModel } from '../../core/ports/chat-model.ts';

/** The model of now, which a reload replaces. */
export class LiveModel {
  #current: ChatModel;

  constructor(first: ChatModel) {
    this.#current = first;
  }

  get current(): ChatModel {
    return this.#current;
  }

  replace(next: ChatModel): void {
    this.#current = next;
  }
}
