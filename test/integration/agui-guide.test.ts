import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realServer } from '../support/real-server.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const page = 'docs/guides/ag-ui.md';
const root = join(import.meta.dirname, '../..');

/** The files of the guide, in a folder below this one: its program finds the library there. */
function copied(): string {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/agui-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'plugins/shop'), { recursive: true });
  for (const name of ['helper.yaml', 'plugins/shop/index.js', 'ask.mjs'])
    writeFileSync(join(folder, name), exampleFile(page, name));
  return folder;
}

describe('the guide for front ends (docs/guides/ag-ui.md)', () => {
  it('has its program asked, and what it approves done', async () => {
    const folder = copied();
    const { url } = await realServer({}, join(folder, 'helper.yaml'));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(folder, 'ask.mjs')], {
      env: { AGENT: `${url}/agui` },
      timeout: 20_000,
    });
    expect(stdout).toContain('Cancel an order: Cancels an order by its number. — approved');
    expect(stdout).toContain('4711');
  });
});
