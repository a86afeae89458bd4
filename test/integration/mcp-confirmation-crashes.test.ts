import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import {
  confirmingClient,
  confirmingSettings,
  linkIn,
  PageOfQuestion,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

/** The action writes a line when it begins, and does not end before the file `go` is there. */
const plugin = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const folder = process.env.LEDGER;
export default {
  name: 'bank',
  actions: [{
    name: 'pay',
    description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    execute: async ({ amount }) => {
      appendFileSync(folder + '/paid', amount + '\\n');
      while (!existsSync(folder + '/go')) await wait(20);
      return { amount };
    },
  }],
};
`;

const pay = { name: 'pay', arguments: { amount: 5 } };

async function bank(serverSettings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-asked-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(join(folder, 'plugins', 'bank'), { recursive: true });
  writeFileSync(join(folder, 'plugins', 'bank', 'index.js'), plugin);
  const [config, port] = [join(folder, 'helper.yaml'), String(await freePort())];
  const origin = `http://localhost:${port}`;
  const settings = {
    appName: 'Bank',
    chatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    actions: { plugins: [join(folder, 'plugins')] },
    ...confirmingSettings,
    server: { publicUrl: origin, ...serverSettings },
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const environment = { LEDGER: folder, HELPER__SERVER__PORT: port };
  const start = async (): Promise<ServerProcess> => {
    const server = startServerProcess({ folder, config, environment });
    await server.url;
    return server;
  };
  const paid = (): readonly string[] =>
    existsSync(join(folder, 'paid')) ? readFileSync(join(folder, 'paid'), 'utf8').trim().split('\n') : [];
  const tokens = await tokensOf('ann');
  const connect = async () => (await confirmingClient(`${origin}/mcp`, { token: tokens.program })).client;
  const pageOf = (link: string): PageOfQuestion => new PageOfQuestion(origin, link, { token: tokens.browser });
  const strangerOf = async (link: string) =>
    new PageOfQuestion(origin, link, { token: (await tokensOf('eve')).browser });
  return { start, paid, connect, pageOf, strangerOf, go: () => writeFileSync(join(folder, 'go'), '') };
}

describe('a crash around a question of a program (contract/mcp-server.md#confirmations)', () => {
  // proves service-4.3-47
  it('ends the question when it comes before the answer, and nothing runs', async () => {
    const { start, paid, connect, pageOf } = await bank();
    const first = await start();
    const link = linkIn(await (await connect()).callTool(pay));
    expect(await pageOf(link).text()).toContain('<form');
    await first.kill('SIGKILL');
    await start();
    const text = await pageOf(link).text();
    expect(text).toContain('The question was withdrawn. Nothing was changed.');
    expect(text).not.toContain('<form');
    const again = linkIn(await (await connect()).callTool(pay));
    expect(again).not.toBe('');
    expect(again).not.toBe(link);
    expect(paid()).toEqual([]);
  });

  // proves service-4.3-47
  it('ends an approval that no call has used, and the user is asked anew', async () => {
    const { start, paid, connect, pageOf, go } = await bank();
    go();
    const first = await start();
    const link = linkIn(await (await connect()).callTool(pay));
    await pageOf(link).answer('approve');
    await first.kill('SIGKILL');
    await start();
    expect(await pageOf(link).text()).toContain('Cancelled: pay');
    const client = await connect();
    const again = linkIn(await client.callTool(pay));
    expect(paid()).toEqual([]);
    await pageOf(again).answer('approve');
    expect(await client.callTool(pay)).toMatchObject({ structuredContent: { amount: 5 } });
    expect(paid()).toEqual(['5']);
  });

  // proves service-4.3-47
  it('tells the next call that nobody knows what came of an action that ran, and does not run it again', async () => {
    const { start, paid, connect, pageOf } = await bank();
    const first = await start();
    const client = await connect();
    const link = linkIn(await client.callTool(pay));
    await pageOf(link).answer('approve');
    const call = client.callTool(pay).catch((error: unknown) => error);
    await vi.waitFor(() => {
      expect(paid()).toEqual(['5']);
    });
    expect(await pageOf(link).text()).toContain('It is running');
    await first.kill('SIGKILL');
    expect(await call).toBeInstanceOf(Error);
    await start();
    const { isError, content } = await (await connect()).callTool(pay);
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.stringContaining('not known whether this action took effect'),
    ]);
    expect(await pageOf(link).text()).toContain('Unclear whether it happened');
    expect(paid()).toEqual(['5']);
  });

  // proves service-4.3-47
  it('by SIGTERM tells the call whose action runs that nobody knows what came of it', async () => {
    const { start, paid, connect, pageOf, go } = await bank({ shutdownGrace: '50ms' });
    const server = await start();
    const client = await connect();
    await pageOf(linkIn(await client.callTool(pay))).answer('approve');
    const called = client.callTool(pay);
    await vi.waitUntil(() => paid().length === 1);
    const exited = server.kill('SIGTERM');
    const told = JSON.stringify(await called);
    expect(told).toContain('not known whether this action took effect');
    expect(told).not.toContain('Nothing was changed');
    go();
    await exited;
  });

  it.each<['SIGKILL' | 'SIGTERM']>([
    // proves service-4.3-94
    ['SIGKILL'],
    // proves service-4.3-94
    ['SIGTERM'],
  ])('after the action ran tells every further call that it ran, and asks nobody anew: %s', async (signal) => {
    const { start, paid, connect, pageOf, go } = await bank();
    go();
    const first = await start();
    const client = await connect();
    await pageOf(linkIn(await client.callTool(pay))).answer('approve');
    await client.callTool(pay);
    await first.kill(signal);
    await start();
    const after = await connect();
    for (let times = 0; times < 2; times += 1) {
      const again = await after.callTool(pay);
      expect(JSON.stringify(again)).toMatch(
        /was not run again: the same call ran at \d{4}-.*it ran\. What it returned/,
      );
      expect(linkIn(again)).toBe('');
    }
    expect(linkIn(await after.callTool({ name: 'pay', arguments: { amount: 6 } }))).not.toBe('');
    expect(paid()).toEqual(['5']);
  });

  // proves wire-6-93
  it('or none: a link that somebody else opens approves nothing, and answers at the same time run the action once', async () => {
    const { start, paid, connect, pageOf, strangerOf, go } = await bank();
    go();
    await start();
    const clients = [await connect(), await connect()];
    const link = linkIn(await clients[0]?.callTool(pay));
    const page = pageOf(link);
    const proof = /name="proof" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const form = new URLSearchParams({ proof, answer: 'approve' });
    expect((await (await strangerOf(link)).send(form)).status).toBe(403);
    expect(paid()).toEqual([]);
    await Promise.all([page.send(form), page.send(form), page.send(form)]);
    await Promise.all(clients.map((client) => client.callTool(pay)));
    expect(paid()).toEqual(['5']);
  });
});
