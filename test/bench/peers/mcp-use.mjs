/** mcp-use, with one tool, as its documentation says. */
import { parseArgs } from 'node:util';
import { MCPServer } from 'mcp-use';
import { z } from 'zod';

const { values } = parseArgs({ options: { port: { type: 'string' } } });

const server = new MCPServer({ name: 'mcp-use', version: '1.0.0' });
server.tool(
  {
    name: 'get_order',
    description: 'Returns one order by its number.',
    inputSchema: z.object({ orderNumber: z.number().int() }),
    annotations: { readOnlyHint: true },
  },
  async ({ orderNumber }) => {
    const order = { orderNumber, status: 'shipped', total: 49.9 };
    return { content: [{ type: 'text', text: JSON.stringify(order) }] };
  },
);

await server.listen(Number(values.port));
