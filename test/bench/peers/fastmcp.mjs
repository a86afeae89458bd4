/** FastMCP for Node, with one tool, as its documentation says. */
import { parseArgs } from 'node:util';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const { values } = parseArgs({ options: { port: { type: 'string' } } });

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'get_order',
  description: 'Returns one order by its number.',
  parameters: z.object({ orderNumber: z.number().int() }),
  annotations: { readOnlyHint: true },
  execute: async ({ orderNumber }) => JSON.stringify({ orderNumber, status: 'shipped', total: 49.9 }),
});

await server.start({
  transportType: 'httpStream',
  httpStream: { port: Number(values.port), endpoint: '/mcp', host: '127.0.0.1' },
});
