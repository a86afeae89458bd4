/** The AI SDK: `streamText` with its UI message stream, as its documentation shows it for a chat page. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, pipeUIMessageStreamToResponse, stepCountIs, streamText, tool } from 'ai';
import * as peer from './serve-peer.mjs';

const provider = createOpenAICompatible({
  name: 'fake',
  baseURL: peer.baseUrl,
  apiKey: peer.apiKey,
  includeUsage: true,
});
const { name, description, parameters, execute } = peer.orderTool;
const tools = peer.offersTool
  ? { [name]: tool({ description, inputSchema: jsonSchema(parameters), execute }) }
  : undefined;

peer.servePeer((message, response) => {
  const result = streamText({
    model: provider.chatModel(peer.model),
    instructions: peer.instructions,
    prompt: message,
    ...(tools !== undefined && { tools, stopWhen: stepCountIs(5) }),
  });
  if (typeof result.pipeUIMessageStreamToResponse === 'function') result.pipeUIMessageStreamToResponse(response);
  else pipeUIMessageStreamToResponse({ response, stream: result.toUIMessageStream() });
});
