/** A Mastra agent with a subagent, or with a workflow of three agents side by side. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import * as peer from './serve-peer.mjs';

const provider = createOpenAICompatible({
  name: 'fake',
  baseURL: peer.baseUrl,
  apiKey: peer.apiKey,
  includeUsage: true,
});
const model = provider.chatModel(peer.model);
const agentOf = ({ id, description, instructions }) => new Agent({ id, name: id, description, instructions, model });

const prompt = z.object({ prompt: z.string() });

function desk() {
  const steps = peer.members.map((member) => createStep(agentOf(member)));
  return createWorkflow({
    id: 'desk',
    description: 'Looks at all sides of an order.',
    inputSchema: prompt,
    outputSchema: z.any(),
  })
    .parallel(steps)
    .commit();
}

const coordinator = new Agent({
  id: 'bench',
  name: 'Bench',
  instructions: peer.instructions,
  model,
  ...(peer.asksTeam ? { workflows: { desk: desk() } } : { agents: { billing: agentOf(peer.specialist) } }),
});

/** The text of a chunk, of the agent itself or of one below it. */
function textOf({ type, payload }) {
  if (type === 'text-delta') return payload.text;
  return typeof payload?.output === 'object' && payload.output !== null ? textOf(payload.output) : undefined;
}

peer.servePeer(async (message, response) => {
  const write = peer.openEventStream(response);
  const { fullStream } = await coordinator.stream(message);
  for await (const chunk of fullStream) {
    const text = textOf(chunk);
    if (text !== undefined && text !== '') write(text);
  }
  peer.endEventStream(response);
});
