import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchOptions, testBrowserPath } from '../../support/chromium.ts';
import { testLimitMs } from '../../support/patience-limit.ts';
import { tier } from '../../support/run/tier.ts';

const root = join(import.meta.dirname, '../../..');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder below /docs/, as a plain web server does. @returns its address, with a slash at the end. */
async function served(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname.replace(/^\/help\//, '/'));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens on a port
  return `http://127.0.0.1:${String(port)}/help/`;
}

describe('npm run docs (CONTRIBUTING.md, "The documentation as a site")', () => {
  // It installs VitePress and builds 150 pages, for two minutes of one processor.
  it.skipIf(tier === 'short' || testBrowserPath === undefined)(
    'builds pages whose links hold, and a search that asks nobody else',
    { timeout: 4 * testLimitMs },
    async () => {
      const output = mkdtempSync(join(tmpdir(), 'helper-site-'));
      onTestFinished(() => rmSync(output, { recursive: true, force: true }));
      execFileSync(process.execPath, ['scripts/site.ts', '--base', '/help/', '--outDir', output], {
        cwd: root,
        stdio: 'pipe',
      });
      const url = await served(output);
      const browser = await chromium.launch(launchOptions);
      onTestFinished(() => browser.close());
      const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const asked: string[] = [];
      tab.on('request', (request) => asked.push(request.url()));
      await tab.goto(url);
      await expect.poll(() => tab.getByRole('heading', { level: 1 }).first().textContent()).toContain('Helper');
      await tab
        .getByRole('button', { name: /Search/ })
        .first()
        .click();
      await tab.getByRole('searchbox').fill('HLP1016');
      await tab.getByRole('option').first().click();
      await expect.poll(() => tab.url()).toBe(`${url}docs/reference/warnings.html#hlp1016`);
      expect(asked.filter((address) => !address.startsWith(url))).toEqual([]);
    },
  );
});
