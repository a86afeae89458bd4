/** LangChain's ChatOpenAI through `.stream()`, with a loop for tools written by hand. */
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import * as peer from './serve-peer.mjs';

const chat = new ChatOpenAI({ model: peer.model, apiKey: peer.apiKey, configuration: { baseURL: peer.baseUrl } });
const { execute, ...declaration } = peer.orderTool;
const bound = peer.offersTool ? chat.bindTools([{ type: 'function', function: declaration }]) : chat;

peer.servePeer(async (message, response) => {
  const write = peer.openEventStream(response);
  const messages = [new SystemMessage(peer.instructions), new HumanMessage(message)];
  for (;;) {
    let reply;
    for await (const chunk of await bound.stream(messages)) {
      if (chunk.content !== '') write(chunk.content);
      if (peer.offersTool) reply = reply === undefined ? chunk : reply.concat(chunk);
    }
    if (!reply?.tool_calls?.length) break;
    messages.push(reply);
    for (const call of reply.tool_calls) {
      messages.push(new ToolMessage({ tool_call_id: call.id, content: JSON.stringify(execute(call.args)) }));
    }
  }
  peer.endEventStream(response);
});
