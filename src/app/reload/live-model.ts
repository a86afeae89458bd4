import type { ModelChain } from '../../adapters/models/open-chat-model.ts';
import type { ForeignAgent } from '../../core/agents/agent.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Resource } from '../open-resources.ts';

/** The models of one configuration. Some may be the same. */
export interface OpenModels {
  /** Answers users (`chatClient`, or `agent`). */
  readonly chat: ChatModel;
  /** Is asked small questions (`classifierChatClient`). */
  readonly classifier: ChatModel;
  /** Answers hard messages (`strongChatClient`); undefined without one. */
  readonly strong?: ChatModel | undefined;
  /** Is asked which messages are hard (`routingClassifierClient`); undefined where nobody is. */
  readonly routing?: ChatModel | undefined;
  /** The models of specialists, by the name of the specialist. Left out, there are no specialists. */
  readonly agents?: ReadonlyMap<string, ChatModel> | undefined;
  /** Set where `chat` is an agent of somebody else (`agent`). */
  readonly foreign?: ForeignAgent | undefined;
  /** The models that each of them tries, itself included. */
  readonly chains: ReadonlyMap<ChatModel, ModelChain['tried']>;
}

/** The present models, which a reload replaces. Each model is closed once. */
export class LiveModel implements Resource {
  readonly name = 'model';
  #models: OpenModels;
  readonly #open = new Set<ChatModel>();

  constructor(first: OpenModels) {
    this.#models = first;
    this.#add(first);
  }

  /** The model that answers users. */
  get current(): ChatModel {
    return this.#models.chat;
  }

  get models(): OpenModels {
    return this.#models;
  }

  /**
   * Replaces the models. Resolves once the earlier models are closed. They are closed after `unused` resolves, because running turns keep
   * the model that they began with.
   */
  async replace(next: OpenModels, unused: Promise<void>): Promise<void> {
    const earlier = this.#models;
    this.#models = next;
    this.#add(next);
    await unused;
    await Promise.all([...earlier.chains.keys()].map((model) => this.#closeOne(model)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((model) => this.#closeOne(model)));
  }

  #add(models: OpenModels): void {
    for (const model of models.chains.keys()) this.#open.add(model);
  }

  async #closeOne(model: ChatModel): Promise<void> {
    if (this.#open.delete(model)) await model.close();
  }
}
