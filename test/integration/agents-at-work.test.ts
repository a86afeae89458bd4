import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exampleFile } from '../unit/docs/pages.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

const guide = 'docs/guides/teams.md';
const files = ['helper.yaml', 'plugins/shop.plugin.js', 'agents/desk.agent.yaml', 'agents/teams.agent.yaml'];

/** Starts the server of the guide as a reader would save it. */
async function startShop() {
  const folder = mkdtempSync(join(tmpdir(), 'teams-guide-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), exampleFile(guide, file));
  }
  const server = startServerProcess({ folder: join(folder, 'data'), config: join(folder, 'helper.yaml') });
  return { ...server, url: await server.url };
}

/** What was said, speaker by speaker. */
async function ask(url: string, message: string): Promise<readonly string[]> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message } });
  await chat.next('end');
  const said: { agent: string; text: string }[] = [];
  for (const { event, data } of chat.frames) {
    if (event !== 'text') continue;
    const { agent, text } = data as { readonly agent: string; readonly text: string };
    if (said.at(-1)?.agent === agent) said[said.length - 1] = { agent, text: `${said.at(-1)?.text ?? ''}${text}` };
    else said.push({ agent, text });
  }
  return said.map(({ agent, text }) => `${agent}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
}

const total = 'Here is what I found: - **Order id**: 1002 - **Total**: 40';
const days = 'Here is what I found: - **Order id**: 1002 - **Days**: 30';

describe('the guide to specialists and teams (contract/agents.md)', () => {
  // proves extending-4-87
  it('plays each mode with the demo model', async () => {
    const { url } = await startShop();
    expect(await ask(url, 'Ask Checked to show order 1002')).toEqual([`Legal: ${days}`]);
    expect(await ask(url, 'Ask Both to show order 1002')).toEqual([`Billing: ${total}`, `Legal: ${days}`]);
    expect(await ask(url, 'Ask Round to show order 1002')).toEqual([`Billing: ${total}`, `Legal: ${days}`]);
    expect(await ask(url, 'Ask Desk to show order 1002')).toEqual([`Billing: ${total}`]);
    expect(await ask(url, 'Ask Desk whether Legal can show the terms of order 1002')).toEqual([`Legal: ${days}`]);
    expect(await ask(url, 'Ask Project to show order 1002')).toEqual([
      `Project: **Billing**: ${total} **Legal**: ${days}`,
    ]);
  });

  // proves extending-4-87
  it('hands over anew with each message of a conversation', async () => {
    const { url } = await startShop();
    const { connection } = await officialClient(`${url}/helper-hub`);
    const say = async (message: string): Promise<string> =>
      (await connection.invoke<{ readonly text: string }>('SendMessage', message)).text;
    expect(await say('Ask Billing to show order 1002')).toContain('**Total**: 40');
    expect(await say('Ask Legal to show order 1002')).toContain('**Days**: 30');
    expect(await say('Hello')).toContain('Hello');
  });

  it('asks for the action of a specialist over the hub, under its name, and tells who works', async () => {
    const { url, printed } = await startShop();
    const { connection, events } = await officialClient(`${url}/helper-hub`);
    connection.on('ConfirmationRequested', ({ actionId }: { readonly actionId: string }) => {
      void fetch(`${url}/helper/approve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ actionId, approved: true }),
      });
    });
    const result = await connection.invoke<{ readonly text: string }>(
      'SendMessage',
      'Ask Billing to refund order 1001',
    );
    expect(result.text).toContain('Refunded');
    const told = events.flatMap(({ name, fields }) => {
      if (name === 'AgentActivity') return [`${String(fields['agent'])} ${String(fields['phase'])}`];
      return name === 'ConfirmationRequested' ? [`${String(fields['agent'])} asks`] : [];
    });
    expect(told).toEqual(['Billing started', 'Billing asks', 'Billing speaking', 'Billing finished']);
    await vi.waitFor(() => {
      expect(printed()).toMatch(/"agents":\{"Billing":"[0-9a-f]{12}"\}/);
    });
  });
});
