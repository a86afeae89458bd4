import { describe, expect, it } from 'vitest';
import { receiptsOf } from '../../src/core/calls/receipts.ts';
import type { TurnHubEvents } from '../../src/wire/hub-events.ts';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { approvalRequest, mcpCall, replyWith } from '../support/responses-model.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const ann = await makeToken({ sub: 'ann' });

const plugin = `export default { name: 'desk', actions: [
  { name: 'cancel_order', title: 'Cancel an order', description: 'Cancels it.', parameters: { type: 'object', properties: {} },
    execute: () => ({ cancelled: true }) }] }`;

const script = [calling({ name: 'cancel_order', arguments: {} }), saying('The order is cancelled.')];

const declined = {
  callId: expect.stringMatching(/^[\w-]{22}$/) as unknown,
  action: 'cancel_order',
  title: 'Cancel an order',
  status: 'declined',
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
};

const answer = (url: string, actionId: string, token?: string) =>
  asUser(`${url}/helper/approve`, token, { method: 'POST', body: { actionId, approved: false } });

describe.each(['Blocking', 'Native'] as const)(
  'receipts with hitlMode %s (contract/events.md#receipts)',
  (hitlMode) => {
    // proves wire-2-80, wire-2-84, wire-11-05
    it('end a turn of server-sent events, whatever the reply says', async () => {
      const { url } = await scriptedServer({ scripts: script, plugin, settings: { hitlMode } });
      const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel my order' } });
      const { data } = await chat.next('confirmation');
      await answer(url, String(data?.['actionId']));
      const end = (await chat.next('end')).data;
      expect(end).toMatchObject({ text: 'The order is cancelled.', receipts: [declined] });
    });

    // proves wire-2-80, wire-2-86
    it('end a turn of the hub, and stand in the conversation as it is read, opened and restored', async () => {
      const { url } = await scriptedServer({
        scripts: [...script, saying('Hello.')],
        plugin,
        settings: { hitlMode, auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage' },
      });
      const hub = await connectAs(url, ann);
      const ends: TurnHubEvents['TurnCompleted'][] = [];
      hub.on('TurnCompleted', (end: TurnHubEvents['TurnCompleted']) => ends.push(end));
      hub.on('ConfirmationRequested', ({ actionId }: TurnHubEvents['ConfirmationRequested']) => {
        void answer(url, actionId, ann);
      });
      for (const event of ['TextDelta', 'ActionCompleted', 'ConfirmationResolved']) hub.on(event, () => undefined);
      await hub.invoke('SendMessage', 'Cancel my order');
      await hub.invoke('SendMessage', 'Hello');
      const [first, second] = ends;
      expect(first?.receipts).toEqual([declined]);
      expect(second).not.toHaveProperty('receipts');
      const part = {
        event: 'TurnCompleted',
        status: 'completed',
        text: 'The order is cancelled.',
        receipts: first?.receipts,
      };
      const shown = (messages: unknown): unknown =>
        (messages as readonly { readonly answer?: readonly unknown[] }[])[0]?.answer?.at(-1);
      const id = String((await listOf(url, ann))[0]?.id);
      const at = declined.at;
      expect((await asUser(`${url}/helper/conversations/${id}`, ann)).body['messages']).toEqual([
        { role: 'user', text: 'Cancel my order', at, turnId: first?.turnId },
        { role: 'assistant', text: part.text, at, receipts: part.receipts },
        { role: 'user', text: 'Hello', at, turnId: second?.turnId },
        { role: 'assistant', text: 'Hello.', at },
      ]);
      const connectionId: string = await hub.invoke('GetConnectionId');
      const session = `${url}/helper/session?connectionId=${connectionId}`;
      const { body } = await asUser(session, ann);
      const restored = await asUser(session, ann, { method: 'POST', body });
      expect(shown(restored.body['messages'])).toEqual(part);
      await hub.invoke('NewConversation');
      const opened = await hub.invoke<{ readonly messages: unknown }>('OpenConversation', id);
      expect(shown(opened.messages)).toEqual(part);
    });
  },
);

describe('receipts in-process (contract/events.md#receipts)', () => {
  // proves wire-2-80
  it('end the turn as they do on the hub', async () => {
    const { helper } = await inProcessHelper({
      scripts: [calling({ name: 'cancel', arguments: { order: 7 } }), saying('Done.')],
    });
    const session = await helper.session();
    const turn = session.send('cancel order 7');
    const { actionId } = await nextOf(turn, 'ConfirmationRequested');
    await session.approve(actionId, true);
    expect((await allOf(turn)).at(-1)).toMatchObject({
      event: 'TurnCompleted',
      receipts: [{ ...declined, action: 'cancel', status: 'succeeded' }],
    });
  });
});

describe('receipts of MCP servers of the provider (contract/events.md#receipts)', () => {
  const settings = (server: object): object => ({
    hostedMcpServers: [{ name: 'erp', url: 'https://erp.example/mcp', ...server }],
    hostedTools: ['WebSearch'],
  });
  const receipt = { ...declined, action: 'mcp-erp-pay', title: 'pay (erp)' };
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };

  // proves wire-2-87
  it('tell of calls that nobody was asked about, and nothing of tools of the provider', async () => {
    const call = mcpCall('mcp_1', 'pay', { output: 'Paid 5.' });
    const scripts = [replyWith('r1', [search, call], 'Paid.')];
    const { helper } = await inProcessHelper({ scripts, settings: settings({ requireApproval: false }) });
    const events = await allOf((await helper.session()).send('pay'));
    expect(events.at(-1)).toMatchObject({ text: 'Paid.', receipts: [{ ...receipt, status: 'succeeded' }] });
    expect(events.at(-1)).toHaveProperty('receipts.length', 1);
  });

  // proves wire-2-87
  it('tell of a call that was declined', async () => {
    const asking = replyWith('r1', [approvalRequest('mcpr_1', 'pay', { amount: 5 })], 'One moment.');
    const { helper } = await inProcessHelper({
      scripts: [asking, replyWith('r2', [], 'Paid.')],
      settings: settings({}),
    });
    const session = await helper.session();
    const turn = session.send('pay');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, false);
    expect((await allOf(turn)).at(-1)).toMatchObject({ receipts: [{ ...receipt, status: 'declined' }] });
  });

  // proves wire-2-87
  it('tell that the end of a call is unknown where a crash has lost it', () => {
    const begun = { target: { kind: 'mcp', server: 'erp', name: 'pay' }, receipt: { action: 'a', title: 'A', at: 0 } };
    const ended = { status: 'failed', durationMs: 1, receipt: begun.receipt };
    const record = new Map<string, unknown>([
      ['coordinator/0/hosted/one', begun],
      ['coordinator/0/hosted/two', begun],
      ['coordinator/0/hosted/two/ended', ended],
    ]);
    expect(receiptsOf(record).map(({ callId, status }) => [callId, status])).toEqual([
      ['two', 'failed'],
      ['one', 'unknown'],
    ]);
  });
});
