import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { confirmingClient, linkIn, ownAddress, PageOfQuestion, tokensOf } from '../support/mcp/confirming-server.ts';
import { realServer } from '../support/real-server.ts';
import { tokenSecret } from '../support/tokens.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const page = 'docs/guides/mcp-server.md';

/** A configuration of the guide beside the plugin of the guide, and beside `more` files. */
function copied(configuration: string, more: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [configuration, 'plugins/shop/index.js', ...more]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), exampleFile(page, name));
  }
  return join(folder, configuration);
}

describe('the guide to the MCP server (docs/guides/mcp-server.md)', () => {
  it('publishes what asks nobody, and only that', async () => {
    const { url } = await realServer({}, copied('helper.yaml'));

    const client = new Client({ name: 'guide', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_order']);
    const { structuredContent } = await client.callTool({ name: 'get_order', arguments: { orderId: 7 } });
    expect(structuredContent).toEqual({ orderId: 7, status: 'shipped' });
  });

  it('lets in the website of its policy', async () => {
    const { url } = await realServer({}, copied('websites.yaml'));
    const asked = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      return (await fetch(`${url}/mcp`, { method: 'OPTIONS', headers })).headers.get('access-control-allow-origin');
    };
    expect(await asked('https://desk.example.com')).toBe('https://desk.example.com');
    expect(await asked('https://shop.example.com')).toBeNull();
  });

  it('knows programs by their keys', async () => {
    const key = 'a-key-of-the-warehouse';
    const { url } = await realServer({ WAREHOUSE_KEY: key }, copied('keys.yaml', ['plugins/keys/index.js']));
    const connect = async (given: string): Promise<readonly string[]> => {
      const client = new Client({ name: 'guide', version: '1' });
      const requestInit = { headers: { 'x-api-key': given } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
      onTestFinished(() => client.close());
      return (await client.listTools()).tools.map(({ name }) => name);
    };
    expect(await connect(key)).toEqual(['get_order']);
    await expect(connect('a-key-of-nobody')).rejects.toThrow('401');
  });

  it('lets users confirm what a program wants to change', async () => {
    const environment = { ...(await ownAddress()), JWT_SECRET: tokenSecret };
    const { url } = await realServer(environment, copied('confirming.yaml'));

    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(`${url}/mcp`, { token: program });
    const cancel = { name: 'cancel_order', arguments: { orderId: 7 } };
    const link = linkIn(await client.callTool(cancel));
    await new PageOfQuestion(url, link, { token: browser, cookie: 'shop_token' }).answer('approve');
    const { structuredContent } = await client.callTool(cancel);
    expect(structuredContent).toEqual({ orderId: 7, cancelled: true });
  });
});
