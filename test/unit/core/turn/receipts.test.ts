import { describe, expect, it } from 'vitest';
import { mostReceipts, receiptsOf } from '../../../../src/core/calls/receipts.ts';
import type { Receipt } from '../../../../src/core/events/turn-event.ts';
import { ToolInterrupted } from '../../../../src/core/tools/tool-faults.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakePage } from '../../../support/fake-page.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import {
  readTurn,
  testAssistant,
  type TestAssistantOptions,
  type TurnReader,
} from '../../../support/test-assistant.ts';
import { anyone, idOf, run, waiting } from '../confirmations/native-process.ts';

type Answer = boolean | 'stop';
const read = fakeTool({ name: 'get_case', title: 'Get a case', readOnly: true });
const close = call('close_case', { caseId: 42 });
const unasked = { requireConfirmation: false };
const today = Date.UTC(2026, 10, 22, 10);

function receiptsTold({ events }: TurnReader): readonly Receipt[] | undefined {
  return events.at(-1)?.fields['receipts'] as readonly Receipt[] | undefined; // the last event is `TurnCompleted`
}

/**
 * One turn that calls `close_case`. Returns the receipts at its end, the last part of the answer that its conversation keeps, and its
 * result.
 */
async function receiptsAfter(
  tool: Tool,
  { answer, ...options }: Partial<TestAssistantOptions> & { readonly answer?: Answer } = {},
) {
  const model = fakeModel({ toolCalls: [close] }, { text: 'All of it is done.' });
  const { assistant } = testAssistant({ toolList: [tool], model, now: () => today, ...options });
  const session = assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  if (answer !== undefined) {
    const actionId = idOf(await reader.next('confirmation-requested'));
    if (answer === 'stop') await turn.stop('user');
    else await assistant.answerConfirmation({ actionId, approved: answer }, anyone);
  }
  await turn.result;
  await reader.ended;
  const kept = session.transcript.at(-1)?.shown?.at(-1);
  return { receipts: receiptsTold(reader), kept, result: await turn.result };
}

describe('receipts (contract/events.md#receipts)', () => {
  const failing = fakeTool({ execute: () => Promise.reject(new Error('down')) });
  const unknown = fakeTool({ execute: () => Promise.reject(new ToolInterrupted('gone')) });
  // proves wire-2-80, wire-2-82, wire-2-83
  it.each<[string, Tool, Parameters<typeof receiptsAfter>[1], string]>([
    ['that was approved and ran', fakeTool(), { answer: true }, 'succeeded'],
    ['that was approved and failed', failing, { answer: true }, 'failed'],
    ['of which nobody knows whether it ran', unknown, { answer: true }, 'unknown'],
    ['that the user declined', fakeTool(), { answer: false }, 'declined'],
    ['whose question ended with a Stop', fakeTool(), { answer: 'stop' }, 'cancelled'],
    ['for which the role is missing', fakeTool({ requiredRoles: ['Supervisor'] }), {}, 'refused'],
    ['that the kill switch refuses', fakeTool(), { isSwitchedOff: () => true }, 'refused'],
    ['that ran without a question', fakeTool(), unasked, 'succeeded'],
    ['that ran without a question and failed', failing, unasked, 'failed'],
    ['that ran where actions are not shown', fakeTool(), { ...unasked, enableActionFeedback: false }, 'succeeded'],
    ['of a plain tool, which declares nothing', fakeTool({ source: 'tool' }), {}, 'succeeded'],
  ])('tell of a call %s', async (_title, tool, options, status) => {
    const { receipts, kept, result } = await receiptsAfter(tool, options);
    expect(receipts).toEqual([
      {
        callId: expect.stringMatching(/^[\w-]{22}$/) as unknown,
        action: 'close_case',
        title: 'Close a case',
        status,
        at: '2026-11-22T10:00:00.000Z',
      },
    ]);
    expect(kept).toEqual({ type: 'turn-completed', status: result.status, receipts });
  });

  // proves wire-2-81
  it.each<[string, Tool, Partial<TestAssistantOptions>]>([
    ['a call that reads', fakeTool({ readOnly: true }), {}],
    ['a call that reads and for which the role is missing', fakeTool({ readOnly: true, requiredRoles: ['Boss'] }), {}],
    ['a call of a tool that there is not', read, {}],
    [
      'a call whose arguments do not fit',
      fakeTool({ checkArguments: () => ({ ok: false, faults: ['caseId is missing'] }) }),
      {},
    ],
  ])('say nothing of %s', async (_title, tool, options) => {
    const { receipts, kept } = await receiptsAfter(tool, options);
    expect(receipts).toBeUndefined();
    expect(kept).toBeUndefined();
  });

  // proves wire-2-83
  it('tell of every such call of a turn, in the order in which they ended', async () => {
    const refused = fakeTool({ name: 'pay', title: 'Pay', requiredRoles: ['Supervisor'] });
    const model = fakeModel(
      { toolCalls: [close, call('pay', {}, 'call_2'), call('get_case', {}, 'call_3')] },
      { toolCalls: [call('pay', {}, 'call_4')] },
      { text: 'Nothing was done.' },
    );
    const { assistant } = testAssistant({ toolList: [fakeTool(), refused, read], model });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Close and pay' });
    const reader = readTurn(turn);
    const actionId = idOf(await reader.next('confirmation-requested'));
    await assistant.answerConfirmation({ actionId, approved: true }, anyone);
    await reader.ended;
    expect(receiptsTold(reader)?.map(({ action, status }) => [action, status])).toEqual([
      ['pay', 'refused'],
      ['close_case', 'succeeded'],
      ['pay', 'refused'],
    ]);
  });

  // proves wire-2-82
  it.each([
    ['a write', false, 1],
    ['a read', true, 0],
  ])('of what a page does tell of %s', async (_title, readOnly, count) => {
    const model = fakeModel({ toolCalls: [call('page_fill')] }, { text: 'Done.' });
    const { assistant } = testAssistant({ model, requireConfirmation: false });
    const parameters = { type: 'object' } as const;
    const page = fakePage(() => ({ filled: true }), [{ name: 'fill', description: 'Fills it.', parameters, readOnly }]);
    const session = assistant.openSession({ channel: 'hub', uiActions: page });
    const reader = readTurn(session.startNow({ text: 'fill it' }), 0, page);
    await reader.ended;
    expect(page.asked).toHaveLength(1);
    expect(receiptsTold(reader) ?? []).toHaveLength(count);
  });

  // proves wire-2-84
  it.each([
    ['approved', true, 'succeeded'],
    ['declined', false, 'declined'],
  ])('are the same when a next process goes on with the turn: %s', async (_title, approved, status) => {
    const { kept, turn, actionId } = await waiting();
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const takenUp = await next.assistant.findTurn(turn.id, anyone);
    if (takenUp === undefined) throw new Error('the turn was not taken up');
    await next.answer(actionId, approved);
    const reader = readTurn(takenUp);
    await reader.ended;
    const receipts = receiptsTold(reader);
    expect(receipts).toMatchObject([{ action: 'close_case', title: 'Close a case', status }]);
    // A later process reads what this process has stored.
    const last = run(kept, { toolList: [], model: fakeModel({ text: 'x' }) });
    await last.assistant.takeUpTurns();
    const ended = await last.assistant.findTurn(turn.id, anyone);
    expect(ended && receiptsTold(readTurn(ended))).toEqual(receipts);
  });

  // proves wire-2-84
  it('are told by a copy of the turn, and below a conversation whose turn had nothing left to ask', async () => {
    const { first, session } = await waiting();
    const snapshot = await first.snapshots.save(session);
    const copies: TurnReader[] = [];
    const target = first.assistant.openSession({ channel: 'hub', onCopy: (turn) => copies.push(readTurn(turn)) });
    await first.snapshots.restore(target, snapshot);
    const [copy] = copies;
    if (copy === undefined) throw new Error('nothing was asked again');
    await first.answer(idOf(await copy.next('confirmation-requested')), false);
    await copy.ended;
    const [told] = receiptsTold(copy) ?? [];
    expect(told).toMatchObject({ action: 'close_case', status: 'declined' });
    const third = first.assistant.openSession({ channel: 'hub' });
    const { messages } = await first.snapshots.restore(third, snapshot);
    const { callId, action, title, status } = told ?? {};
    expect(messages[0]?.answer?.at(-1)).toMatchObject({
      type: 'turn-completed',
      receipts: [{ callId, action, title, status }],
    });
  });

  // proves wire-2-85
  it('are at most 100: of more, the newest of each action and status stay, and then the newest', () => {
    const record = new Map<string, unknown>();
    const put = (index: number, action: string, status: string): void => {
      const receipt = { action, title: action, at: index };
      record.set(`coordinator/0/call/id${String(index)}`, { status, text: '', origin: 'action', receipt });
    };
    put(0, 'pay', 'succeeded');
    put(1, 'pay', 'refused');
    for (let index = 2; index < 300; index += 1) put(index, 'pay', 'refused');
    const receipts = receiptsOf(record);
    expect(receipts).toHaveLength(mostReceipts);
    expect(receipts.map(({ callId }) => callId)).toEqual([
      'id0',
      ...Array.from({ length: 99 }, (_, index) => `id${String(index + 201)}`),
    ]);
    expect(receipts[0]?.status).toBe('succeeded');
  });

  // proves wire-2-85
  it('cut a title that is too long', async () => {
    const { receipts } = await receiptsAfter(fakeTool({ title: 'x'.repeat(5_000) }), { requireConfirmation: false });
    expect(receipts?.[0]?.title).toBe('x'.repeat(200));
  });
});

describe('receipts of turns that are kept in the store (contract/events.md#receipts)', () => {
  // proves wire-2-84
  it('tell of a write that nobody was asked about and that a crash interrupted', async () => {
    const kept = memoryStores();
    const begun = Promise.withResolvers<undefined>();
    const tool = fakeTool({
      execute: () => {
        begun.resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    const options = { requireConfirmation: false, tapePolicy: 'always' } as const;
    const first = run(kept, { ...options, toolList: [tool], model: fakeModel({ toolCalls: [close] }) });
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
    await begun.promise;
    const next = run(kept, { ...options, toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const takenUp = await next.assistant.findTurn(turn.id, anyone);
    if (takenUp === undefined) throw new Error('the turn was not taken up');
    const reader = readTurn(takenUp);
    await reader.ended;
    expect(receiptsTold(reader)).toMatchObject([{ action: 'close_case', title: 'Close a case', status: 'unknown' }]);
  });
});
