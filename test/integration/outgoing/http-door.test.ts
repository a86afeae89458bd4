import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpDoor } from '../../../src/adapters/mcp-client/http-door.ts';
import { mcpLimits } from '../../../src/adapters/mcp-client/mcp-limits.ts';

/** A door to a server that answers each request with a redirect of this status. */
async function doorTo(status: number): Promise<{ readonly door: HttpDoor; readonly url: URL }> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`);
  const door = new HttpDoor({ url, headers: {}, limits: mcpLimits });
  onTestFinished(() => door.close());
  return { door, url };
}

describe('redirects of an MCP server (contract/mcp-servers.md#limits)', () => {
  it.each([
    [301, 'broken'],
    [302, 'broken'],
    [303, 'broken'],
    [307, 'not-sent'],
    [308, 'not-sent'],
  ])('with status %i leave a call %s: only 307 and 308 say that nothing was done', async (status, kind) => {
    const { door, url } = await doorTo(status);
    await expect(door.fetch(url, { method: 'POST', body: '{}' })).rejects.toMatchObject({ name: 'McpFault', kind });
  });
});
