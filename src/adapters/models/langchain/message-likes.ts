import { isDeeperThan, maxArgumentLevels } from '../../../core/base/json-depth.ts';
import type { ChatMessage, ModelRequest, ModelToolCall, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import type { ApprovalGiven } from '../../../core/ports/hosted-tools.ts';
import { objectOf, parsedJson, textOf } from '../json-values.ts';

/**
 * The conversation in the plain form that every LangChain model takes. Each model turns it into messages of its own copy of LangChain.
 * Message classes of this server would be strangers to a plugin's copy. `takesAnswers`: the provider asks for approvals and reads the
 * answers.
 */
export function messageLikes(
  request: Pick<ModelRequest, 'instructions' | 'messages'>,
  takesAnswers = false,
): readonly object[] {
  const messages = takesAnswers ? withAnswers(request.messages) : request.messages.map(messageLike);
  return request.instructions === '' ? messages : [{ role: 'system', content: request.instructions }, ...messages];
}

/** Tools in the OpenAI form, which `bindTools` of every provider takes. */
export function openAiTools(tools: readonly ToolDeclaration[]): readonly object[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}

function messageLike(message: ChatMessage): object {
  switch (message.role) {
    case 'user':
      return message.images === undefined ? { role: 'user', content: message.text } : userLike(message);
    case 'assistant':
      return { role: 'assistant', content: message.text, tool_calls: message.toolCalls.map(toolCallLike) };
    case 'tool':
      return { role: 'tool', content: message.text, tool_call_id: message.callId, name: message.name };
  }
}

/**
 * Replies that asked for approvals go back as the provider wrote them, with the answers behind them. The results of other calls in these
 * replies get the provider's ids.
 */
function withAnswers(messages: readonly ChatMessage[]): readonly object[] {
  const providerIds = new Map<string, string>();
  const answered = new Set<string>();
  return messages.flatMap((message) => {
    if (message.role === 'tool' && answered.has(message.callId)) return [];
    if (message.role === 'tool') {
      return [messageLike({ ...message, callId: providerIds.get(message.callId) ?? message.callId })];
    }
    if (message.role !== 'assistant' || message.answered === undefined) return [messageLike(message)];
    const { items, approvals } = message.answered;
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

/** Images as LangChain's standard content blocks, which every provider's package turns into its own form. */
function userLike({ text, images = [] }: Extract<ChatMessage, { readonly role: 'user' }>): object {
  const pictures = images.map(({ mediaType, data }) => ({ type: 'image', mimeType: mediaType, data }));
  return {
    role: 'user',
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures],
    // This version tells the packages that the blocks are the standard ones.
    response_metadata: { output_version: 'v1' },
  };
}

/**
 * Arguments that are no JSON object, or are nested too deeply, are replaced by an empty object. Their call never ran, and its outcome says
 * why.
 */
function toolCallLike(call: ModelToolCall): object {
  const args = objectOf(parsedJson(call.arguments)) ?? {};
  const isRunnable = !isDeeperThan(maxArgumentLevels, args);
  return { type: 'tool_call', id: call.id, name: call.name, args: isRunnable ? args : {} };
}
