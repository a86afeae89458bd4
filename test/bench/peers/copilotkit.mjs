/** CopilotKit's runtime with its built-in agent, through its own request handler. Each message is a thread of its own. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createOpenAI } from '@ai-sdk/openai';
import { BuiltInAgent, CopilotRuntime, createCopilotRuntimeHandler, defineTool } from '@copilotkit/runtime/v2';
import { z } from 'zod';
import * as peer from './serve-peer.mjs';

// Its runtime brings an older AI SDK, which takes only models of that generation.
const provider = createOpenAI({ baseURL: peer.baseUrl, apiKey: peer.apiKey });
const { name, description, execute } = peer.orderTool;
const getOrder = defineTool({
  name,
  description,
  parameters: z.object({ orderNumber: z.number().int() }),
  execute: async (args) => execute(args),
});
const agent = new BuiltInAgent({
  model: provider.chat(peer.model),
  prompt: peer.instructions,
  ...(peer.offersTool && { tools: [getOrder], maxSteps: 5 }),
});
const handle = createCopilotRuntimeHandler({
  runtime: new CopilotRuntime({ agents: { default: agent } }),
  basePath: '/copilotkit',
});

peer.servePeer(async (message, response) => {
  const input = {
    threadId: randomUUID(),
    runId: randomUUID(),
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
    messages: [{ id: randomUUID(), role: 'user', content: message }],
  };
  const answer = await handle(
    new Request(`http://127.0.0.1:${peer.port}/copilotkit/agent/default/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(input),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  Readable.fromWeb(answer.body).pipe(response);
});
