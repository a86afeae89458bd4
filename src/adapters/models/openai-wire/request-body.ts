import type { ChatMessage, ModelRequest, ModelToolCall, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import { objectOf, parsedJson } from '../json-values.ts';

/** The parts of a request that go into its body. */
type RequestContent = Pick<
  ModelRequest,
  'instructions' | 'messages' | 'tools' | 'toolChoice' | 'temperature' | 'format'
>;

/** Fields that some servers do not know. Such a server names the field when it refuses the request. */
export const optionalFields = ['stream_options', 'temperature', 'response_format'] as const;
export type OptionalField = (typeof optionalFields)[number];

const reservedFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'tools', 'n']);

/**
 * Writes request bodies. The parts that stay the same from call to call are serialised once: the fixed fields, the instructions, the tools
 * and each message of the history. So a long conversation costs one join for each call.
 */
export class RequestBodyWriter {
  readonly #head: string;
  readonly #exactHead: string;
  readonly #toolsJson = new WeakMap<readonly ToolDeclaration[], string>();
  readonly #messageJson = new WeakMap<ChatMessage, string>();
  #instructions: { readonly text: string; readonly json: string } = { text: '', json: '' };
  readonly #leftOut = new Set<OptionalField>();

  /** @throws Error when `extraFields` holds a field that the server sets itself. */
  constructor(fields: { readonly model: string; readonly extraFields: Readonly<Record<string, unknown>> }) {
    const taken = Object.keys(fields.extraFields).find((name) => reservedFields.has(name));
    if (taken !== undefined) throw new Error(`options.${taken} is set by the server itself: leave it out`);
    const all = { ...fields.extraFields, model: fields.model, stream: true };
    this.#head = openObject(all);
    this.#exactHead = openObject({ ...all, temperature: 0 });
  }

  /**
   * Leaves out `field` from now on, because the server does not know it. Returns false when the field was left out before, or when the
   * configuration sets it for this request.
   */
  leaveOut(field: OptionalField, request: Pick<ModelRequest, 'temperature' | 'format'>): boolean {
    const isOurs = {
      stream_options: true,
      temperature: request.temperature === 0,
      response_format: request.format === 'json',
    };
    if (!isOurs[field] || this.#leftOut.has(field)) return false;
    this.#leftOut.add(field);
    return true;
  }

  /** Tools and messages are cached by their identity. */
  write(request: RequestContent): string {
    const isExact = request.temperature === 0 && !this.#leftOut.has('temperature');
    const parts = [isExact ? this.#exactHead : this.#head];
    if (!this.#leftOut.has('stream_options')) parts.push(',"stream_options":{"include_usage":true}');
    if (request.format === 'json' && !this.#leftOut.has('response_format'))
      parts.push(',"response_format":{"type":"json_object"}');
    if (request.tools.length > 0) {
      parts.push(',"tools":', this.#tools(request.tools));
      if (request.toolChoice !== 'auto') parts.push(`,"tool_choice":"${request.toolChoice}"`);
    }
    const messages = request.messages.map((message) => this.#message(message));
    if (request.instructions !== '') messages.unshift(this.#system(request.instructions));
    parts.push(',"messages":[', messages.join(','), ']}');
    return parts.join('');
  }

  #tools(tools: readonly ToolDeclaration[]): string {
    const known = this.#toolsJson.get(tools);
    if (known !== undefined) return known;
    const json = JSON.stringify(
      tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    );
    this.#toolsJson.set(tools, json);
    return json;
  }

  #system(text: string): string {
    if (this.#instructions.text !== text) {
      this.#instructions = { text, json: JSON.stringify({ role: 'system', content: text }) };
    }
    return this.#instructions.json;
  }

  #message(message: ChatMessage): string {
    const known = this.#messageJson.get(message);
    if (known !== undefined) return known;
    const json = JSON.stringify(wireMessage(message));
    this.#messageJson.set(message, json);
    return json;
  }
}

/** An object as JSON that more fields can follow. */
function openObject(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields).slice(0, -1);
}

function wireMessage(message: ChatMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.images === undefined ? message.text : contentParts(message) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': {
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      const content = message.text === '' ? null : message.text;
      return { role: 'assistant', content, tool_calls: message.toolCalls.map(wireCall) };
    }
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
