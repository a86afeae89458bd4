import type { ChatMessage, ModelRequest, ModelToolCall, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import type { ApprovalGiven } from '../../../core/ports/hosted-tools.ts';
import { argumentsObject, objectOf, textOf } from '../json-values.ts';
import { outputOf, withBlocks } from './extra-blocks.ts';

type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;
import { functionTool } from '../tools/function-tool.ts';

/**
 * The conversation in the plain form that every LangChain model takes. Each model turns it into messages of its own copy of LangChain.
 * Message classes of this server would be strangers to a plugin's copy. `takesAnswers`: the provider asks for approvals and reads the
 * answers. `instructionsAs` gives the instructions another form.
 */
export function messageLikes(
  request: Pick<ModelRequest, 'instructions' | 'messages'>,
  takesAnswers = false,
  instructionsAs: (text: string) => string | readonly object[] = (text) => text,
): readonly object[] {
  const messages = takesAnswers ? withAnswers(request.messages) : request.messages.map(messageLike);
  return request.instructions === ''
    ? messages
    : [{ role: 'system', content: instructionsAs(request.instructions) }, ...messages];
}

/** Tools in the OpenAI form, which `bindTools` of every provider takes. */
export function openAiTools(tools: readonly ToolDeclaration[]): readonly object[] {
  return tools.map(functionTool);
}

function messageLike(message: ChatMessage): object {
  switch (message.role) {
    case 'user':
      return message.images === undefined ? { role: 'user', content: message.text } : userLike(message);
    case 'assistant': {
      const { text, toolCalls } = message;
      return { role: 'assistant', content: text, tool_calls: toolCalls.map(toolCallLike), ...withBlocks(message) };
    }
    case 'tool':
      return { role: 'tool', content: message.text, tool_call_id: message.callId, name: message.name };
  }
}

/**
 * Replies that asked for approvals go back as the provider wrote them, with the answers behind them, and so do replies with a thought. The
 * results of other calls in these replies get the provider's ids.
 */
function withAnswers(messages: readonly ChatMessage[]): readonly object[] {
  const providerIds = new Map<string, string>();
  const answered = new Set<string>();
  return messages.flatMap((message) => {
    if (message.role === 'tool' && answered.has(message.callId)) return [];
    if (message.role === 'tool') {
      return [messageLike({ ...message, callId: providerIds.get(message.callId) ?? message.callId })];
    }
    const written = message.role === 'assistant' ? writtenBy(message) : undefined;
    if (message.role !== 'assistant' || written === undefined) return [messageLike(message)];
    const { items, approvals } = written;
    const ids = items.flatMap((item) =>
      typeOf(item) === 'function_call' ? [textOf(objectOf(item)?.['call_id'])] : [],
    );
    const own = message.toolCalls.filter(({ hosted }) => hosted === undefined);
    for (const { id, hosted } of message.toolCalls) if (hosted !== undefined) answered.add(id);
    for (const [index, { id }] of own.entries()) providerIds.set(id, ids[index] ?? id);
    // The package sends such output on unchanged.
    return [{ role: 'assistant', content: '', response_metadata: { output: [...items, ...approvals.map(answer)] } }];
  });
}

/** A reply as its provider wrote it, with the answers to its requests for approval. */
function writtenBy(message: AssistantMessage): AssistantMessage['answered'] {
  const items = outputOf(message);
  return message.answered ?? (items && { items, approvals: [] });
}

function answer({ id, approve, reason }: ApprovalGiven): object {
  return {
    type: 'mcp_approval_response',
    approval_request_id: id,
    approve,
    ...(reason === undefined ? {} : { reason }),
  };
}

function typeOf(item: object): unknown {
  return objectOf(item)?.['type'];
}

/** Images in the form that every provider's package reads. Not all of them read LangChain's standard blocks. */
function userLike({ text, images = [] }: Extract<ChatMessage, { readonly role: 'user' }>): object {
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return { role: 'user', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures] };
}

function toolCallLike({ id, name, arguments: written }: ModelToolCall): object {
  return { type: 'tool_call', id, name, args: argumentsObject(written) };
}
