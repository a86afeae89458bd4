import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'upstream-port': { type: 'string' }, model: { type: 'string' } },
});

export const port = Number(values.port);
export const model = values.model;
export const baseUrl = `http://127.0.0.1:${values['upstream-port']}/v1`;
export const instructions = 'You are a friendly assistant.';
/** The fake model never asks for a key, but every library insists on one. */
export const apiKey = 'none';

/** The one tool, the same for every peer. */
export const orderTool = {
  name: 'get_order',
  description: 'Returns one order by its number.',
  parameters: { type: 'object', properties: { orderNumber: { type: 'integer' } }, required: ['orderNumber'] },
  execute: ({ orderNumber }) => ({ orderNumber, status: 'shipped', total: 49.9 }),
};

/** Only the tool workload offers the tool, as our own server does not send tools to the model where there are none. */
export const offersTool = model.endsWith('k');

/** The agent to which one workload hands over. */
export const specialist = {
  id: 'billing',
  description: 'Answers questions about orders and invoices.',
  instructions: 'You answer questions about orders. You are speaker 1 of 1.',
};

/** Whether the workload hands over to three agents side by side, and those. */
export const asksTeam = model.endsWith('c');
export const members = ['order', 'invoice', 'delivery'].map((subject, index) => ({
  id: subject,
  description: `Looks at the ${subject}.`,
  instructions: `You look at the ${subject}. You are speaker ${index + 1} of 3.`,
}));

/** Serves `{message}` posts on node:http; `answer` writes the whole response. */
export function servePeer(answer) {
  createServer((request, response) => {
    let received = '';
    request.setEncoding('utf8');
    request.on('data', (text) => (received += text));
    request.on('end', () => {
      Promise.resolve(answer(JSON.parse(received).message, response)).catch((error) => {
        process.stderr.write(`${error?.stack ?? error}\n`);
        response.destroy();
      });
    });
  }).listen({ port, host: '127.0.0.1', backlog: 4096 });
}

/** Opens an event stream and returns the function that writes one delta, as our own server frames it. */
export function openEventStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (text) => response.write(`event: text\ndata: ${JSON.stringify({ text })}\n\n`);
}

export function endEventStream(response) {
  response.end('event: end\ndata: {}\n\n');
}
