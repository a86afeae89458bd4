import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realServer } from '../support/real-server.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const page = 'docs/guides/a2a-server.md';
const root = join(import.meta.dirname, '../..');

/** The files of the guide, in a folder below this one: its program finds the library there. */
function copied(): string {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/a2a-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'plugins/shop'), { recursive: true });
  for (const name of ['helper.yaml', 'plugins/shop/index.js', 'ask.mjs'])
    writeFileSync(join(folder, name), exampleFile(page, name));
  return folder;
}

describe('the guide for other agents (docs/guides/a2a-server.md)', () => {
  it('shows the card, and answers the program and the command of the page', async () => {
    const folder = copied();
    const { url } = await realServer({}, join(folder, 'helper.yaml'));
    const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Record<string, unknown>;
    expect(card).toMatchObject({
      name: 'Shop',
      description: 'Sells lamps and knows its orders.',
      version: '1.2.0',
      provider: { organization: 'Lamps & Co' },
      skills: [{ id: 'get_order' }],
    });

    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(folder, 'ask.mjs')], { env: { AGENT: url }, timeout: 20_000 });
    expect(stdout).not.toBe('');

    const answer = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
        params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } },
      }),
    });
    expect(await answer.json()).toMatchObject({
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: stdout }] }] } },
    });
  });
});
