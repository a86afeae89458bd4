import { describe, expect, it } from 'vitest';
import type { HostedUse } from '../../../../src/core/agents/hosted/hosted-use.ts';
import { ModelError, type ModelReply } from '../../../../src/core/ports/chat-model.ts';
import type { HostedCall, HostedServer } from '../../../../src/core/ports/hosted-tools.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';
import { anyone, idOf, run } from '../confirmations/native-process.ts';

const erp: HostedServer = {
  name: 'erp',
  url: 'https://erp.example/mcp',
  requireApproval: true,
  alwaysRequireApprovalTools: [],
  neverRequireApprovalTools: ['find'],
  headers: {},
};
const hosted: HostedUse = {
  offer: { tools: [{ name: 'WebSearch', options: {} }], allowedDomains: [], servers: [erp] },
  servers: [erp],
  linkDomains: [],
  showsActivity: true,
};

const search: HostedCall = { id: 'ws_1', target: { kind: 'tool', name: 'WebSearch' }, status: 'succeeded' };
const lookup: HostedCall = { id: 'fs_1', target: { kind: 'tool', name: 'FileSearch' }, status: 'succeeded' };
const find: HostedCall = {
  id: 'mcp_1',
  target: { kind: 'mcp', server: 'erp', name: 'find' },
  status: 'succeeded',
  arguments: '{}',
  output: 'Order 7',
};
const pay: ModelReply['toolCalls'][number] = {
  id: 'mcpr_1',
  name: 'mcp-erp-pay',
  arguments: '{}',
  hosted: { id: 'mcpr_1', server: 'erp', tool: 'pay' },
};
const ofErp = (tool: string) => ({ origin: 'mcp', influencedBy: [{ origin: 'mcp', title: `${tool} (erp)` }] });
/** What every reply has read of the server before any call. */
const ofOffer = { origin: 'mcp', title: 'erp', silent: true };
const ended = (call: HostedCall) => ({ phase: 'ended', call }) as const;

/** The messages that the model gets after a first turn in which the provider has made this call. */
async function historyAfter(call: HostedCall): Promise<readonly object[]> {
  const step = { progress: [ended(call)], text: 'It is so.', more: { hosted: { calls: [call], citations: [] } } };
  const model = fakeModel(step, { text: 'Bye.' });
  const { assistant } = testAssistant({ model, hosted });
  const session = assistant.openSession({ channel: 'hub' });
  await session.startNow({ text: 'how?' }).result;
  await session.startNow({ text: 'bye' }).result;
  return model.requests[1]?.messages.slice(1, -1) ?? [];
}

describe('what the provider has read (contract/hosted-tools.md#text-from-outside)', () => {
  // proves service-2.17-95
  it.each([
    ['a web search', search, [{ role: 'assistant', origin: 'model', influencedBy: [ofOffer, { origin: 'web' }] }]],
    [
      'a search in files',
      lookup,
      [{ role: 'assistant', origin: 'model', influencedBy: [ofOffer, { origin: 'document' }] }],
    ],
    [
      'a tool of an MCP server',
      find,
      [
        { role: 'assistant', text: '', origin: 'model' },
        { role: 'tool', text: '[succeeded] Order 7', ...ofErp('find') },
        { role: 'assistant', text: 'It is so.', influencedBy: [ofOffer, ...ofErp('find').influencedBy] },
      ],
    ],
  ])('has an origin in the history: %s', async (_what, call, expected) => {
    expect(await historyAfter(call)).toMatchObject(expected);
  });

  it('is told and kept too where a model lists its calls at the end alone', async () => {
    const model = fakeModel({ text: 'It is so.', more: { hosted: { calls: [find, search], citations: [] } } });
    const { assistant } = testAssistant({ model, hosted });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'how?' });
    const reader = readTurn(turn);
    await turn.result;
    const ends = reader.events.filter(({ type }) => type === 'action-completed');
    expect(ends.map(({ fields }) => fields['action'])).toEqual(['mcp-erp-find', 'WebSearch']);
  });

  // proves service-2.17-95
  it('has the same origin where it was approved', async () => {
    const paid = { ...find, target: { kind: 'mcp', server: 'erp', name: 'pay' }, approvalId: 'mcpr_1' } as const;
    const model = fakeModel(
      { toolCalls: [pay], more: { items: [{ type: 'mcp_approval_request', id: 'mcpr_1' }] } },
      { progress: [ended(paid)], text: 'Paid.', more: { hosted: { calls: [paid], citations: [] } } },
      { text: 'Bye.' },
    );
    const { assistant } = testAssistant({ model, hosted });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'pay' });
    const asked = await readTurn(turn).next('confirmation-requested');
    await assistant.answerConfirmation({ actionId: idOf(asked), approved: true }, anyone);
    await turn.result;
    await session.startNow({ text: 'bye' }).result;
    expect(model.requests[2]?.messages.slice(1, -1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'mcp-erp-pay' }] },
      { role: 'tool', text: '[succeeded] Order 7', ...ofErp('pay') },
      { role: 'assistant', text: 'Paid.', influencedBy: [ofOffer, ...ofErp('pay').influencedBy] },
    ]);
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('answered');
  });
});

describe('calls of the provider in a turn that is taken up (contract/hosted-tools.md#restarts)', () => {
  // proves service-2.17-94
  it('end where a crash has cut off their reply, before they are made anew', async () => {
    const kept = memoryStores();
    const never = new Promise(() => undefined);
    const began = (id: string) => ({ phase: 'began', id, target: search.target }) as const;
    const mcpBegan = { phase: 'began', id: 'mcp_1', target: find.target } as const;
    const first = run(kept, {
      hosted,
      tapePolicy: 'always',
      model: fakeModel({ progress: [began('ws_1'), ended(search), began('ws_2'), mcpBegan], until: never }),
    });
    await first.assistant.takeUpTurns();
    const begun = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'news' });
    const reader = readTurn(begun);
    for (let count = 0; count < 3; count += 1) await reader.next('action-executing');

    const second = run(kept, {
      hosted,
      tapePolicy: 'always',
      model: fakeModel({ progress: [began('ws_3'), ended({ ...search, id: 'ws_3' })], text: 'Rain.' }),
    });
    await second.assistant.takeUpTurns();
    const turn = await second.assistant.findTurn(begun.id, anyone);
    const again = readTurn(turn ?? expect.unreachable());
    await turn?.result;
    const ends = again.events.filter(({ type }) => type === 'action-completed');
    expect(ends.map(({ fields }) => [fields['action'], fields['status']])).toEqual([
      ['WebSearch', 'succeeded'],
      ['WebSearch', 'cancelled'],
      ['mcp-erp-find', 'unknown'],
      ['WebSearch', 'succeeded'],
    ]);
    expect(new Set(ends.map(({ fields }) => fields['callId'])).size).toBe(4);
    expect(again.events.filter(({ type }) => type === 'action-executing')).toHaveLength(4);
  });

  // proves service-2.17-23
  it('end where their reply fails', async () => {
    const fails = new ModelError('model_unavailable', 'gone', { transient: false });
    const model = fakeModel({ progress: [{ phase: 'began', id: 'mcp_1', target: find.target }], fails });
    const turn = testAssistant({ model, hosted }).assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    const reader = readTurn(turn);
    expect(await turn.result).toMatchObject({ status: 'failed', code: 'model_unavailable' });
    const [end] = reader.events.filter(({ type }) => type === 'action-completed');
    expect(end?.fields).toMatchObject({ action: 'mcp-erp-find', status: 'unknown' });
  });
});
