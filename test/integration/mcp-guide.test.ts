import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realServer } from '../support/real-server.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const page = 'docs/guides/mcp-server.md';

describe('the guide to the MCP server (docs/guides/mcp-server.md)', () => {
  it('publishes what asks nobody, and only that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'plugins/shop'), { recursive: true });
    for (const name of ['helper.yaml', 'plugins/shop/index.js'])
      writeFileSync(join(folder, name), exampleFile(page, name));
    const { url } = await realServer({}, join(folder, 'helper.yaml'));

    const client = new Client({ name: 'guide', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_order']);
    const { structuredContent } = await client.callTool({ name: 'get_order', arguments: { orderId: 7 } });
    expect(structuredContent).toEqual({ orderId: 7, status: 'shipped' });
  });
});
