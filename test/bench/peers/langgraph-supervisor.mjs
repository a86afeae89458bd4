/** The supervisor of LangGraph, over a specialist or over a graph of three agents side by side. */
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { ChatOpenAI } from '@langchain/openai';
import * as peer from './serve-peer.mjs';

const llm = new ChatOpenAI({ model: peer.model, apiKey: peer.apiKey, configuration: { baseURL: peer.baseUrl } });
const agentOf = ({ id, instructions }) => createReactAgent({ llm, tools: [], name: id, prompt: instructions });

function team() {
  const graph = new StateGraph(MessagesAnnotation);
  for (const { id, instructions } of peer.members) {
    graph.addNode(id, agentOf({ id, instructions }));
    graph.addEdge(START, id);
    graph.addEdge(id, END);
  }
  return graph.compile({ name: 'desk' });
}

const agents = peer.asksTeam ? [team()] : [agentOf(peer.specialist)];
const app = createSupervisor({ agents, llm, prompt: peer.instructions, addHandoffBackMessages: false }).compile();

peer.servePeer(async (message, response) => {
  const write = peer.openEventStream(response);
  const messages = [{ role: 'user', content: message }];
  const stream = await app.stream({ messages }, { streamMode: 'messages', subgraphs: true });
  for await (const [, [chunk]] of stream) {
    if (chunk.getType() === 'ai' && typeof chunk.content === 'string' && chunk.content !== '') write(chunk.content);
  }
  peer.endEventStream(response);
});
