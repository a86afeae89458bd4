/** Mastra's Agent, read through its text stream. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import * as peer from './serve-peer.mjs';

const provider = createOpenAICompatible({
  name: 'fake',
  baseURL: peer.baseUrl,
  apiKey: peer.apiKey,
  includeUsage: true,
});
const { name, description, execute } = peer.orderTool;
const getOrder = createTool({
  id: name,
  description,
  inputSchema: z.object({ orderNumber: z.number().int() }),
  execute: async (input) => execute(input?.context ?? input),
});
const agent = new Agent({
  id: 'bench',
  name: 'Bench',
  instructions: peer.instructions,
  model: provider.chatModel(peer.model),
  ...(peer.offersTool && { tools: { [name]: getOrder } }),
});

peer.servePeer(async (message, response) => {
  const write = peer.openEventStream(response);
  const result = await agent.stream(message);
  for await (const text of result.textStream) write(text);
  peer.endEventStream(response);
});
