import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import { allOf } from '../support/in-process-helper.ts';
import { startIssuer } from '../support/mcp/issuer.ts';
import { mcpHelper, offeredIn, statusesIn } from '../support/mcp/mcp-helper.ts';
import { type RealMcpServer, startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const program = join(import.meta.dirname, '../support/mcp/stdio-server.ts');
const unasked = { requireConfirmation: false };
const pay = (description = 'Pays.'): TestTool => ({ name: 'pay', description, run: () => 'paid' });
const secret: TestTool = { name: 'merger_files', description: 'Files of the merger.', run: () => 'secret' };
const paying = [calling({ name: 'pay', arguments: {} }), saying('Said.')];

/** A helper whose calls have the tokens of their users, and a hub client that is told how the servers are doing. */
async function exchanging(mcp: RealMcpServer, scripts: readonly ModelScript[]) {
  const { tokenUrl } = await startIssuer();
  const auth = { clientId: 'helper', clientSecret: 'secret-of-the-client', tokenUrl, exchange: true };
  const { url, model } = await scriptedServer({
    scripts,
    overrides: { HELPER__AUTH__JWT__SECRET: tokenSecret },
    settings: { ...unasked, mcpServers: [{ name: 'erp', serverUrl: mcp.url, auth }] },
  });
  const client = await officialClient(`${url}/helper-hub`);
  const counts = (): readonly unknown[] =>
    client.events
      .filter(({ name }) => name === 'McpStatusChanged')
      .map(({ fields }) => (fields['servers'] as readonly { readonly toolCount: number }[])[0]?.toolCount);
  await expect.poll(() => counts().at(-1)).toBe(1);
  const told = counts().length;
  const send = async (sub: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await makeToken({ sub })}` };
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'pay' }, headers });
    return (await stream.next('end')).data;
  };
  return { model, send, countsSince: () => counts().slice(told) };
}

describe('the list of tools of one caller (contract/mcp-servers.md#tools)', () => {
  // proves service-2.16-45
  it('judges the call of that user alone with exchange: true, and no other user hears of it', async () => {
    const mcp = await startMcpServer('new', [pay()]);
    mcp.before = ({ headers }) => {
      // What the server lists depends on whose token comes.
      mcp.tools = String(headers.authorization).includes('-for-') ? [pay(), secret] : [pay()];
      return false;
    };
    const { model, send, countsSince } = await exchanging(mcp, [...paying, saying('Hi.')]);
    expect(await send('ann')).toMatchObject({ receipts: [{ action: 'pay', status: 'succeeded' }] });
    const lists = mcp.of('tools/list').map(({ headers }) => String(headers.authorization));
    expect(lists.some((bearer) => bearer.includes('-for-'))).toBe(true);
    await send('bob');
    expect(offeredIn(model, 2)).toContain('pay');
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('merger');
    expect(countsSince()).toEqual([]);
  });

  // proves service-2.16-45
  it('keeps a tool from running that is declared to that user otherwise, and changes it for nobody', async () => {
    const mcp = await startMcpServer('new', [pay()]);
    mcp.before = ({ headers }) => {
      mcp.tools = [pay(String(headers.authorization).includes('-for-') ? 'Pays for the merger.' : 'Pays.')];
      return false;
    };
    const { model, send } = await exchanging(mcp, [...paying, saying('Hi.')]);
    expect(await send('ann')).toMatchObject({ receipts: [{ action: 'pay', status: 'cancelled' }] });
    expect(mcp.of('tools/call')).toEqual([]);
    await send('bob');
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('merger');
  });

  // proves service-2.16-41, service-2.16-53, service-2.16-91
  it('shows that a tool has changed for everybody: the next turn has the new one', async () => {
    const mcp = await startMcpServer('new', [pay()]);
    const { model, send } = await exchanging(mcp, [...paying, ...paying]);
    mcp.tools = [pay('Pays at once.')];
    expect(await send('ann')).toMatchObject({ receipts: [{ action: 'pay', status: 'cancelled' }] });
    expect(await send('bob')).toMatchObject({ receipts: [{ action: 'pay', status: 'succeeded' }] });
    expect(JSON.stringify(model.requests[2]?.body['tools'])).toContain('Pays at once.');
  });

  // proves service-2.16-45
  it('judges the call of that conversation alone with shared: false', async () => {
    const mcp = await startMcpServer('old', [pay()]);
    mcp.before = ({ headers }) => {
      // The first session is that of the looks, the second that of the conversation.
      mcp.tools = headers['mcp-session-id'] === 'session-2' ? [pay(), secret] : [pay()];
      return false;
    };
    const entry = { name: 'erp', serverUrl: mcp.url, shared: false };
    const { helper, session, model } = await mcpHelper([entry], [...paying, saying('Hi.')], unasked);
    expect(statusesIn(await allOf(session.send('pay')))).toEqual(['pay succeeded']);
    expect(mcp.of('tools/list').map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1', 'session-2']);
    await allOf((await helper.session()).send('hello'));
    expect(offeredIn(model, 2)).toContain('pay');
    expect(offeredIn(model, 2)).not.toContain('merger_files');
  });

  // proves service-2.16-45
  it('is that of a program that has served its conversation, which tells nobody else what it has learned', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'helper-mcp-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const starts = (): number => {
      const file = join(directory, 'started');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    };
    const entry = { name: 'tally', command: process.execPath, arguments: [program, 'old', directory] };
    const { helper, session, model } = await mcpHelper([entry], [], unasked);
    const offered = (): readonly string[] => offeredIn(model, model.requests.length - 1);
    // A turn waits for a program only so long.
    const greet = async (): Promise<readonly string[]> => {
      model.script(saying('Hi.'));
      await allOf(session.send('hello'));
      return offered();
    };
    await expect.poll(greet).toContain('learn');
    model.script(...['learn', 'write'].flatMap((name) => [calling({ name, arguments: {} }), saying('Done.')]));
    expect(statusesIn(await allOf(session.send('learn')))).toEqual(['learn succeeded']);
    expect(statusesIn(await allOf(session.send('write')))).toEqual(['write succeeded']);
    // The program says that its tools have changed. One that nobody has called is asked.
    await expect.poll(starts).toBe(2);
    model.script(saying('Hi.'));
    await allOf((await helper.session()).send('hello'));
    expect(offered()).toContain('write');
    expect(offered()).not.toContain('learned');
  });
});
