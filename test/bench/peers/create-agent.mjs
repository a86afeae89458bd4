/** LangChain's `createAgent` with the stream mode a chat page needs. */
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import * as peer from './serve-peer.mjs';

const { name, description, parameters, execute } = peer.orderTool;
const agent = createAgent({
  model: new ChatOpenAI({ model: peer.model, apiKey: peer.apiKey, configuration: { baseURL: peer.baseUrl } }),
  tools: peer.offersTool
    ? [tool((args) => JSON.stringify(execute(args)), { name, description, schema: parameters })]
    : [],
  systemPrompt: peer.instructions,
});

peer.servePeer(async (message, response) => {
  const write = peer.openEventStream(response);
  const messages = [{ role: 'user', content: message }];
  for await (const [chunk] of await agent.stream({ messages }, { streamMode: 'messages' })) {
    if (chunk.type === 'ai' && typeof chunk.content === 'string' && chunk.content !== '') write(chunk.content);
  }
  peer.endEventStream(response);
});
