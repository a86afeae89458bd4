import { isDeeperThan, maxArgumentLevels } from '../../../core/base/json-depth.ts';
import type { ChatMessage, ModelRequest, ModelToolCall, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import { objectOf, parsedJson } from '../json-values.ts';

/**
 * The conversation in the plain form every LangChain model takes and turns into messages of its own copy of LangChain.
 * (Message classes of ours would be strangers to a plugin's copy.)
 */
export function messageLikes(request: Pick<ModelRequest, 'instructions' | 'messages'>): readonly object[] {
  const messages = request.messages.map(messageLike);
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

/** Images as LangChain's standard content blocks, which every provider's package turns into its own form. */
function userLike({ text, images = [] }: Extract<ChatMessage, { readonly role: 'user' }>): object {
  const pictures = images.map(({ mediaType, data }) => ({ type: 'image', mimeType: mediaType, data }));
  return {
    role: 'user',
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures],
    // This tells the packages that the blocks are the standard ones.
    response_metadata: { output_version: 'v1' },
  };
}

/**
 * Arguments that are no JSON object, or are nested too deep, cannot be written here. Their call never ran, and the
 * outcome beside it says why.
 */
function toolCallLike(call: ModelToolCall): object {
  const args = objectOf(parsedJson(call.arguments)) ?? {};
  const isRunnable = !isDeeperThan(maxArgumentLevels, args);
  return { type: 'tool_call', id: call.id, name: call.name, args: isRunnable ? args : {} };
}
