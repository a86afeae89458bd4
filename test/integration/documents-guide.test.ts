import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { callbackSecret } from '../support/callback-receiver.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/documents.md'), 'utf8');
const codeOf = (head: string): string => new RegExp(`\`\`\`${head}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';

function folderWith(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-documents-guide-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), codeOf(`js file=${file}`));
  return folder;
}

/** Starts the service of the guide as a reader would. Resolves with its address. */
async function startService(): Promise<string> {
  const file = join(folderWith('search.mjs'), 'search.mjs');
  const program = spawn(process.execPath, [file], {
    env: { ...process.env, HELP_SEARCH_SECRET: callbackSecret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  for await (const line of createInterface({ input: program.stdout })) return line;
  throw new Error('the service ended without its address');
}

async function sentFor(message: string, settings: object): Promise<string> {
  const { url, model } = await scriptedServer({ scripts: [saying('Fine.')], callbacks: [], settings });
  const chat = await openSse(`${url}/helper/chat`, { body: { message } });
  await chat.next('end');
  return JSON.stringify(model.requests[0]?.body['messages']);
}

describe('the guide to documents (docs/guides/documents.md)', () => {
  it('shows a configuration and a service that answer each other', async () => {
    const address = await startService();
    const written = codeOf('yaml')
      .replace('http://127.0.0.1:9000', address)
      .replace('${HELP_SEARCH_SECRET}', callbackSecret);
    const settings = { actions: 'none', ...(parse(written) as object) };
    const sent = await sentFor('Can goods be sent back?', settings);
    expect(sent).toContain('Goods can be sent back within 30 days.');
    expect(sent).not.toContain('Parcels');
  });

  it('shows a service that answers nobody without a signature', async () => {
    const { status } = await fetch(await startService(), { method: 'POST', body: '{"type":"search","query":"back"}' });
    expect(status).toBe(401);
  });

  it('shows a plugin that is a source', async () => {
    const actions = { plugins: [folderWith('handbook.plugin.js')] };
    const sent = await sentFor('When are you open?', { useRag: true, actions });
    expect(sent).toContain('We are open from nine to five.');
  });
});
