import { EventSchemas } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { RunEvents } from '../../../../src/channels/ag-ui/run-events.ts';
import type { TurnEventType } from '../../../../src/core/events/turn-event.ts';

/** A client without tools of its own. */
const noTools = { has: () => false };

const event = (type: TurnEventType, fields: object) => ({ seq: 1, type, json: JSON.stringify(fields) });

/** The text that a client reads of these events, and their types. */
function read(events: RunEvents, type: TurnEventType, fields: object) {
  const told = events.read(event(type, fields));
  for (const one of told) expect(EventSchemas.safeParse(one).error).toBeUndefined();
  return {
    text: told.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join(''),
    types: told.map((one) => one.type),
  };
}

describe('a reply whose text is replaced (contract/ag-ui.md#events)', () => {
  // proves wire-6-72
  it('goes on where it was made longer, and is told not to hold where it was taken back', () => {
    const events = new RunEvents('The text above was withdrawn.', noTools);
    expect(read(events, 'text-delta', { text: 'Half ' })).toEqual({
      text: 'Half ',
      types: ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'],
    });
    expect(read(events, 'text-replaced', { text: 'Half a truth' }).text).toBe('a truth');
    expect(read(events, 'text-replaced', { text: 'Nothing was done.' }).text).toBe(
      '\n\n[The text above was withdrawn.]\n\nNothing was done.',
    );
    expect(read(events, 'text-delta', { text: ' Really.' })).toEqual({
      text: ' Really.',
      types: ['TEXT_MESSAGE_CONTENT'],
    });
  });
});

describe('what was not read of a message (contract/ag-ui.md#events)', () => {
  // proves wire-27-02
  it('is told, and is never the message of a fault', () => {
    const events = new RunEvents('', noTools);
    const fault = { code: 'internal', message: 'Something went wrong.', retryable: false };
    expect(read(events, 'error-occurred', fault).types).toEqual(['CUSTOM']);
    const cut = { code: 'file_cut', message: 'Only the beginning was read.', retryable: false };
    expect(read(events, 'error-occurred', cut).types).toEqual(['CUSTOM']);
    read(events, 'turn-completed', { status: 'failed', code: 'internal', text: '' });
    expect(events.end?.message).toBe('Something went wrong.');
  });
});

describe('a call (contract/ag-ui.md#events)', () => {
  const call = { callId: 'c-1', action: 'pay', arguments: { amount: 5 } };

  // proves wire-6-70
  it('ends the text that is open, and is told once', () => {
    const events = new RunEvents('', noTools);
    read(events, 'text-delta', { text: 'One moment.' });
    expect(read(events, 'action-executing', call).types).toEqual([
      ...['TEXT_MESSAGE_END', 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END'],
    ]);
    expect(read(events, 'action-executing', call).types).toEqual([]);
    expect(read(events, 'action-completed', { ...call, status: 'refused', message: 'It needs a role.' })).toEqual({
      text: '',
      types: ['TOOL_CALL_RESULT'],
    });
  });

  // proves wire-6-70
  it('of the server has another name than each tool of the client, which would run it', () => {
    const events = new RunEvents('', { has: (name) => name === 'pay' });
    const [started] = events.read(event('action-executing', call));
    expect(started).toMatchObject({ type: 'TOOL_CALL_START', toolCallName: 'server_pay' });
  });

  it('of a tool of the client is not told by the turn, whose client knows its result', () => {
    const events = new RunEvents('', noTools);
    const own = { ...call, action: 'page_pay' };
    expect(read(events, 'action-executing', own).types).toEqual([]);
    expect(events.called({ callId: 'c-1', name: 'pay', arguments: {} }).map(({ type }) => type)).toEqual([
      ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'CUSTOM'],
    ]);
    expect(read(events, 'action-completed', { ...own, status: 'succeeded' }).types).toEqual([]);
  });
});

describe('the end of a turn (contract/ag-ui.md#runs)', () => {
  const receipts = [{ callId: 'c', action: 'cancel', title: 'Cancel', status: 'unknown', at: '' }];

  // proves service-2.14-81
  it('tells what was really done before the fault of a turn that has failed', () => {
    const events = new RunEvents('', noTools);
    const failed = { status: 'failed', code: 'model_unavailable', text: '', receipts };
    expect(events.read(event('turn-completed', failed))).toMatchObject([
      { type: 'CUSTOM', name: 'TurnCompleted', value: { receipts } },
    ]);
  });
});
