import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  confirmingClient,
  confirmingSettings,
  linkIn,
  ownAddress,
  PageOfQuestion,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';

const plugin = `
const ran = (globalThis.repeatsRan ??= []);
export default {
  name: 'bank',
  actions: [{
    name: 'pay', description: 'Pays.', parameters: { type: 'object', properties: { amount: { type: 'integer' } } },
    execute: ({ amount }) => { ran.push(amount); if (amount === 13) throw new Error('closed'); return { amount }; },
  }],
};`;
const ran = ((globalThis as { repeatsRan?: number[] }).repeatsRan ??= []);

const pay = (amount: number) => ({ name: 'pay', arguments: { amount } });

async function bank(user = 'ann') {
  ran.length = 0;
  const { url, model } = await scriptedServer({
    ...{ scripts: [], plugin, settings: confirmingSettings },
    overrides: await ownAddress(),
  });
  const { program, browser } = await tokensOf(user);
  const { client } = await confirmingClient(`${url}/mcp`, { token: program, era: 'legacy' });
  const pageOf = (link: string): PageOfQuestion => new PageOfQuestion(url, link, { token: browser });
  const approved = async (amount: number) => {
    await pageOf(linkIn(await client.callTool(pay(amount)))).answer('approve');
    return client.callTool(pay(amount));
  };
  return { url, model, client, program, browser, pageOf, approved };
}

describe('questions that programs withdraw (contract/mcp-server.md#confirmations)', () => {
  // proves service-8-51
  it('leave twenty rows of their user, and nothing of what was approved is lost', async () => {
    ran.length = 0;
    const folder = mkdtempSync(join(tmpdir(), 'helper-repeats-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { url } = await scriptedServer({
      ...{ scripts: [], plugin, settings: confirmingSettings },
      overrides: { ...(await ownAddress()), HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: folder },
    });
    const { program, browser } = await tokensOf('ann');
    let approves = true;
    const opens = async (link: string): Promise<'accept' | 'cancel'> => {
      if (!approves) return 'cancel';
      await new PageOfQuestion(url, link, { token: browser }).answer('approve');
      return 'accept';
    };
    const { client } = await confirmingClient(`${url}/mcp`, { token: program, opens });
    await client.callTool(pay(1));
    approves = false;
    for (let amount = 100; amount < 140; amount += 1) {
      expect(JSON.stringify(await client.callTool(pay(amount)))).toContain('withdrawn before it was answered');
    }
    await vi.waitFor(() => {
      const database = new DatabaseSync(join(folder, 'helper.db'), { readOnly: true });
      const rows = database.prepare('select answer, count(*) as rows from confirmation group by answer').all();
      database.close();
      expect(rows).toEqual([
        { answer: 'approved', rows: 1 },
        { answer: 'cancelled', rows: 20 },
      ]);
    });
    expect(ran).toEqual([1]);
  });
});

describe('the same call again (contract/mcp-server.md#confirmations)', () => {
  // proves service-4.3-95
  it('is asked about after one that failed, and the program and the page say that it was tried', async () => {
    const { client, pageOf, approved } = await bank();
    expect(JSON.stringify(await approved(13))).toContain('closed');
    const asked = await client.callTool(pay(13));
    expect(JSON.stringify(asked)).toMatch(/the same was tried at \d{4}-/);
    expect(JSON.stringify(asked)).not.toContain('Nothing was changed yet');
    expect(await pageOf(linkIn(asked)).text()).toContain('This was already tried with the same values (');
    await pageOf(linkIn(asked)).answer('approve');
    await client.callTool(pay(13));
    expect(ran).toEqual([13, 13]);
  });

  // proves service-4.3-94
  it('gets the outcome from another program of the same user, and is a question of its own for another user', async () => {
    const { url, approved } = await bank();
    await approved(5);
    const other = await confirmingClient(`${url}/mcp`, { token: (await tokensOf('ann', { azp: 'other' })).program });
    expect(JSON.stringify(await other.client.callTool(pay(5)))).toContain('was not run again');
    const bob = await confirmingClient(`${url}/mcp`, { token: (await tokensOf('bob')).program });
    const asked = await bob.client.callTool(pay(5));
    expect(JSON.stringify(asked)).toContain('Nothing was changed yet');
    expect(ran).toEqual([5]);
  });

  // proves service-4.3-95, service-2.6-52
  it('is said to have run in the box of a chat, and on the page after a chat', async () => {
    const { url, model, client, browser, pageOf, approved } = await bank();
    await approved(5);
    model.script(calling(pay(5)), saying('Done.'), calling(pay(7)), saying('Done.'));
    const headers = { authorization: `Bearer ${browser}`, 'content-type': 'application/json' };
    const hub = await RawHubClient.connect(`${url}/helper-hub`, { headers: { authorization: headers.authorization } });
    const approvedInChat = async (invocation: string): Promise<unknown> => {
      hub.call('SendMessage', invocation, 'Pay');
      const { actionId, repeats } = await hub.event('ConfirmationRequested');
      const body = JSON.stringify({ actionId, approved: true });
      await fetch(`${url}/helper/approve`, { method: 'POST', headers, body });
      await hub.result(invocation);
      return repeats;
    };
    expect(await approvedInChat('1')).toMatchObject({ state: 'done' });
    expect(await approvedInChat('2')).toBeUndefined();
    hub.socket.close();
    const asked = await client.callTool(pay(7));
    expect(JSON.stringify(asked)).toMatch(/the same was done at \d{4}-/);
    expect(await pageOf(linkIn(asked)).text()).toContain('This was already done with the same values (');
    expect(ran).toEqual([5, 5, 7]);
  });
});
