import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ChatMessage, ModelReply, ModelToolCall, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import { listOf, objectOf, parsedJson, textOf } from '../json-values.ts';

/** LangChain messages as ours: system messages are the instructions. @throws Error for content that is not text. */
export function fromLangChain(messages: readonly BaseMessage[]): {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
} {
  const system = messages.filter((message) => message.type === 'system').map(textContent);
  return {
    instructions: system.join('\n\n'),
    messages: messages.filter((message) => message.type !== 'system').map(chatMessage),
  };
}

/** Tools in the OpenAI form, as `bindTools` keeps them, as declarations. */
export function toolDeclarations(tools: readonly unknown[]): readonly ToolDeclaration[] {
  return tools.map((tool) => {
    const declared = objectOf(objectOf(tool)?.['function']) ?? {};
    return {
      name: textOf(declared['name']) ?? '',
      description: textOf(declared['description']) ?? '',
      parameters: objectOf(declared['parameters']) ?? { type: 'object', properties: {} },
    };
  });
}

/** LangChain's `tool_choice` in the wire's words: `any` is `required`, a tool's name is an object. */
export function wireToolChoice(choice: unknown): unknown {
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'any') return 'required';
  if (typeof choice !== 'string' || choice === 'none' || choice === 'required') return choice;
  return { type: 'function', function: { name: choice } };
}

/** The whole reply as one message. Calls with broken arguments are its `invalid_tool_calls`. */
export function aiMessage(reply: ModelReply): AIMessage {
  const valid = reply.toolCalls.filter((call) => argumentsOf(call) !== undefined);
  const invalid = reply.toolCalls.filter((call) => argumentsOf(call) === undefined);
  const message = new AIMessage({
    content: reply.text,
    tool_calls: valid.map((call) => ({
      type: 'tool_call',
      id: call.id,
      name: call.name,
      args: { ...argumentsOf(call) },
    })),
    invalid_tool_calls: invalid.map((call) => ({
      type: 'invalid_tool_call',
      id: call.id,
      name: call.name,
      args: call.arguments,
      error: 'not a JSON object',
    })),
    response_metadata: responseMetadata(reply),
  });
  return withUsage(message, reply);
}

/** One piece of text. */
export function textChunk(text: string): ChatGenerationChunk {
  return new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
}

/** What follows the last piece of text: tool calls, usage, the model's name. */
export function lastChunk(reply: ModelReply): ChatGenerationChunk {
  const message = new AIMessageChunk({
    content: '',
    tool_call_chunks: reply.toolCalls.map((call, index) => ({
      type: 'tool_call_chunk',
      index,
      id: call.id,
      name: call.name,
      args: call.arguments,
    })),
    response_metadata: responseMetadata(reply),
  });
  return new ChatGenerationChunk({ text: '', message: withUsage(message, reply) });
}

function chatMessage(message: BaseMessage): ChatMessage {
  const text = textContent(message);
  if (message.type === 'ai') return { role: 'assistant', text, toolCalls: toolCallsOf(message) };
  if (message.type !== 'tool') return { role: 'user', text };
  const callId = 'tool_call_id' in message ? textOf(message.tool_call_id) : undefined;
  return { role: 'tool', callId: callId ?? '', name: message.name ?? '', text };
}

function textContent(message: BaseMessage): string {
  const parts = listOf(message.content).map((part) => objectOf(part)?.['type']);
  const other = parts.find((type) => type !== 'text');
  if (other !== undefined) throw new Error(`this model takes text only, not ${JSON.stringify(other)}`);
  return message.text;
}

function toolCallsOf(message: BaseMessage): readonly ModelToolCall[] {
  const valid = 'tool_calls' in message ? listOf(message.tool_calls) : [];
  const invalid = 'invalid_tool_calls' in message ? listOf(message.invalid_tool_calls) : [];
  return [...valid, ...invalid].map((entry) => {
    const call = objectOf(entry) ?? {};
    const written = call['args'];
    return {
      id: textOf(call['id']) ?? '',
      name: textOf(call['name']) ?? '',
      arguments: typeof written === 'string' ? written : JSON.stringify(written ?? {}),
    };
  });
}

function argumentsOf(call: ModelToolCall): Readonly<Record<string, unknown>> | undefined {
  return call.arguments.trim() === '' ? {} : objectOf(parsedJson(call.arguments));
}

/** Not by the constructor: LangChain's types lose this property under `exactOptionalPropertyTypes`. */
function withUsage<Message extends AIMessage | AIMessageChunk>(message: Message, { usage }: ModelReply): Message {
  const metadata: UsageMetadata = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
  return Object.assign(message, { usage_metadata: metadata });
}

function responseMetadata(reply: ModelReply): Record<string, unknown> {
  return { model_name: reply.model, finish_reason: reply.finish };
}
