import type { ChatMessage, ModelToolCall } from '../../../core/ports/chat-model.ts';
import { listOf, objectOf, parsedJson } from '../json-values.ts';
import type { MissingMember } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;
type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;

/** What stands for a thought that another model had: not empty, since an empty one counts as missing. */
const noThought = ' ';
/** Google's own word for the call of another model, which it does not check. */
const noSignature = { google: { thought_signature: 'skip_thought_signature_validator' } };

/**
 * Writes messages as JSON, each of them once. A provider gets back what it wrote beside a reply, and stand-ins for that in replies of other
 * models if it insists.
 */
export class MessageWriter {
  readonly #json = new WeakMap<ChatMessage, string>();
  readonly #leftOut: ReadonlySet<string>;
  readonly #filled: ReadonlySet<MissingMember>;

  /** `leftOut`: members of the extras that are not sent. `filled`: those for which a stand-in is written where they are missing. */
  constructor(leftOut: ReadonlySet<string> = new Set(), filled: ReadonlySet<MissingMember> = new Set()) {
    this.#leftOut = leftOut;
    this.#filled = filled;
  }

  write(message: ChatMessage): string {
    const known = this.#json.get(message);
    if (known !== undefined) return known;
    const json = JSON.stringify(this.#wire(message));
    this.#json.set(message, json);
    return json;
  }

  /** Whether a member of the extras is sent. */
  writes(member: string): boolean {
    return !this.#leftOut.has(member);
  }

  /** Whether a stand-in is written for `member`. */
  fills(member: MissingMember): boolean {
    return this.#filled.has(member);
  }

  /** A writer that leaves out a member of the extras. The same one where it is left out already. */
  without(member: string): MessageWriter {
    if (!this.writes(member)) return this;
    return new MessageWriter(new Set([...this.#leftOut, member]), this.#filled);
  }

  /** A writer that writes a stand-in for `member`. The same one where it does that already. */
  filledWith(member: MissingMember): MessageWriter {
    if (this.fills(member)) return this;
    return new MessageWriter(this.#leftOut, new Set([...this.#filled, member]));
  }

  #wire(message: ChatMessage): object {
    switch (message.role) {
      case 'user':
        return { role: 'user', content: message.images === undefined ? message.text : contentParts(message) };
      case 'tool':
        return { role: 'tool', tool_call_id: message.callId, content: message.text };
      case 'assistant':
        return this.#assistant(message);
    }
  }

  #assistant({ text, toolCalls, extras }: AssistantMessage): object {
    const beside = this.#without(objectOf(extras?.content['message']) ?? {});
    const thought = this.#filled.has('reasoning_content') ? { reasoning_content: noThought, ...beside } : beside;
    if (toolCalls.length === 0) return { role: 'assistant', content: text, ...thought };
    const given = listOf(extras?.content['calls']);
    const ofCalls = given.length === toolCalls.length ? given : [];
    const kept = ofCalls.map((one) => this.#without(objectOf(one) ?? {}));
    const calls = toolCalls.map((call, index) => ({ ...wireCall(call), ...this.#signature(kept), ...kept[index] }));
    return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls, ...thought };
  }

  /** Stands in for the signature of a message without any. Of several calls only the first one has one. */
  #signature(calls: readonly Fields[]): Fields {
    if (!this.#filled.has('thought_signature')) return {};
    return calls.some((call) => call['extra_content'] !== undefined) ? {} : { extra_content: noSignature };
  }

  #without(members: Fields): Fields {
    if (this.#leftOut.size === 0) return members;
    return Object.fromEntries(Object.entries(members).filter(([name]) => !this.#leftOut.has(name)));
  }
}

/** Text and images side by side. Servers refuse an empty text part. */
function contentParts({ text, images = [] }: Extract<ChatMessage, { readonly role: 'user' }>): readonly object[] {
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures];
}

function wireCall(call: ModelToolCall): object {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: acceptableArguments(call.arguments) },
  };
}

/**
 * Replaces arguments that are no valid JSON. The model may have written nonsense in an earlier call, and many servers then refuse the whole
 * request.
 */
function acceptableArguments(text: string): string {
  return objectOf(parsedJson(text)) === undefined ? '{}' : text;
}
