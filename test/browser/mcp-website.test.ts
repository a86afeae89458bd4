import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const root = join(import.meta.dirname, '../..');

/** A page's script that lists the tools of a server with the official client, and calls one. */
async function bundled(address: string, mode: 'auto' | 'legacy'): Promise<string> {
  const negotiation = mode === 'auto' ? ", { versionNegotiation: { mode: 'auto' } }" : '';
  const contents = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const client = new Client({ name: 'page', version: '1' }${negotiation});
try {
  await client.connect(new StreamableHTTPClientTransport(new URL('${address}')));
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: 'get_order', arguments: { id: 1001 } });
  document.title = tools.length + ' ' + (result.isError === true ? 'failed' : 'called');
} catch (error) {
  document.title = 'error: ' + error;
}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describeInBrowser('a website at the MCP server (contract/mcp-server.md#who-may-ask)', (pages) => {
  // proves service-4.3-52
  it.each(['auto', 'legacy'] as const)('lists and calls with the official client in a browser: %s', async (mode) => {
    const site = await hostPage();
    const settings = {
      mcpServerEnabled: true,
      endpoints: { mcp: { cors: 'desk' } },
      cors: { desk: { origins: [site.origin] } },
    };
    const { url } = await scriptedServer({ scripts: [], plugin: mcpPlugin, settings });
    const html = '<!doctype html><title>waiting</title><script type="module" src="page.js"></script>';
    const body = await bundled(`${url}/mcp`, mode);
    site.serve({ html, files: { '/page.js': { headers: { 'content-type': 'text/javascript' }, body } } });
    const { page } = await pages.open(site.url);
    await expect.poll(() => page.title()).toMatch(/^\d+ called$/);
  });
});
