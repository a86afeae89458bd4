/** What the official library does by itself: one tool, and nothing between it and the socket but Node's HTTP. */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

const { values } = parseArgs({ options: { port: { type: 'string' } } });

const inputSchema = fromJsonSchema<{ orderNumber: number }>({
  type: 'object',
  properties: { orderNumber: { type: 'integer' } },
  required: ['orderNumber'],
});

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'get_order',
    { description: 'Returns one order by its number.', inputSchema, annotations: { readOnlyHint: true } },
    ({ orderNumber }) => {
      const order = { orderNumber, status: 'shipped', total: 49.9 };
      return { content: [{ type: 'text', text: JSON.stringify(order) }], structuredContent: order };
    },
  );
  return server;
});

const handle = toNodeHandler(handler);

createServer((incoming, response) => {
  void handle(incoming as Parameters<typeof handle>[0], response); // Node's own request, whose method is always set
}).listen(Number(values.port), '127.0.0.1');
