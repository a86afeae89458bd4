import type { ChatMessage, ModelRequest, ToolDeclaration } from '../ports/chat-model.ts';
import type { MessageImage } from '../ports/message-image.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { mostTokensOfImage, tokensOfImage } from './image-tokens.ts';
import { hasExtras, tokensOfExtras } from './message-extras.ts';

/** Tokens that the provider's own markup adds around each message or call. */
const tokensAround = 4;

/** Characters of a text that is too short to be worth counting, and the most tokens that one of its characters is taken for. */
const [shortText, tokensOfCharacter] = [100, 1.5];

/** Smaller requests change no factor, because the provider's own markup is most of their tokens. */
const leastTokens = 200;

/** The bounds of a model's factor. A provider that reports nonsense must not switch the window off. */
const [leastFactor, mostFactor] = [0.8, 2];

/** The weight of the last reply against all replies before it. */
const weight = 0.3;

/** Most models whose factor is kept. The factor of the model that learned longest ago is dropped first. */
const mostModels = 100;

/**
 * Estimates how many tokens something has for a model (contract/models.md#the-context-window). The estimate follows the usage that
 * the model reports: each model has a factor, which is 1 until it has answered. Each message is counted once.
 */
export class TokenEstimates {
  readonly #count: TokenCounter;
  readonly #ofMessage = new WeakMap<ChatMessage, number>();
  readonly #ofImage = new WeakMap<MessageImage, number>();
  readonly #ofTools = new WeakMap<ModelRequest['tools'], number>();
  readonly #ofTool = new WeakMap<ToolDeclaration, number>();
  readonly #factors = new Map<string, number>();
  #instructions = { text: '', tokens: 0 };

  constructor(count: TokenCounter) {
    this.#count = count;
  }

  /** Tokens of a message before the factor of any model. */
  ofMessage(message: ChatMessage): number {
    const known = this.#ofMessage.get(message);
    if (known !== undefined) return known;
    const tokens = this.#countMessage(message);
    this.#ofMessage.set(message, tokens);
    return tokens;
  }

  /**
   * At least as many tokens as `ofMessage` says for the text of a message, before the factor of any model. Short texts are not counted but
   * taken for the most that they can be, which is little beside a reply.
   */
  mostOfText(message: ChatMessage): number {
    const isShort = message.role === 'user' && message.text.length <= shortText;
    if (isShort) return message.text.length * tokensOfCharacter + tokensAround;
    return this.ofMessage(message) - imagesOf(message).length * tokensOfImage;
  }

  /** The most tokens that a provider takes for the pictures of a message. No factor applies to them: it follows texts. */
  mostOfImages(message: ChatMessage): number {
    return imagesOf(message).reduce((sum, image) => sum + this.#mostOfImage(image), 0);
  }

  /** Tokens of what goes with the messages: instructions and tools, before the factor of any model. */
  besideMessages({ instructions, tools }: Pick<ModelRequest, 'instructions' | 'tools'>): number {
    if (this.#instructions.text !== instructions) {
      this.#instructions = { text: instructions, tokens: this.#count(instructions) };
    }
    const ofTools = this.#ofTools.get(tools) ?? this.#count(JSON.stringify(tools)) + tools.length * tokensAround;
    this.#ofTools.set(tools, ofTools);
    return this.#instructions.tokens + tokensAround + ofTools;
  }

  /** Tokens of one tool as it is declared, before the factor of any model. */
  ofTool(tool: ToolDeclaration): number {
    const known = this.#ofTool.get(tool) ?? this.#count(JSON.stringify(tool)) + tokensAround;
    this.#ofTool.set(tool, known);
    return known;
  }

  /** The number by which the estimates for this model are multiplied. */
  factor(model: string): number {
    return this.#factors.get(model) ?? 1;
  }

  /** Compares what was estimated for a request, before the factor, with the input tokens that the model reports. */
  learn(model: string, estimated: number, reported: number): void {
    if (estimated < leastTokens || !(reported > 0)) return;
    const seen = Math.min(mostFactor, Math.max(leastFactor, reported / estimated));
    const before = this.#factors.get(model) ?? seen;
    this.#factors.delete(model);
    this.#factors.set(model, before + (seen - before) * weight);
    for (const oldest of this.#factors.keys()) {
      if (this.#factors.size <= mostModels) break;
      this.#factors.delete(oldest);
    }
  }

  #mostOfImage(image: MessageImage): number {
    const known = this.#ofImage.get(image);
    if (known !== undefined) return known;
    const tokens = mostTokensOfImage(image);
    this.#ofImage.set(image, tokens);
    return tokens;
  }

  #countMessage(message: ChatMessage): number {
    const text = this.#count(message.text) + tokensAround;
    switch (message.role) {
      case 'user':
        return text + imagesOf(message).length * tokensOfImage;
      case 'assistant':
        return message.toolCalls.reduce(
          (sum, call) => sum + this.#count(call.name) + this.#count(call.arguments) + tokensAround,
          hasExtras(message) ? text + tokensOfExtras(message.extras, this.#count) : text,
        );
      case 'tool':
        return text + this.#count(message.name);
    }
  }
}

function imagesOf(message: ChatMessage): readonly MessageImage[] {
  return message.role === 'user' ? (message.images ?? []) : [];
}
