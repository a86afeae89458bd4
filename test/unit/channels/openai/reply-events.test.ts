import { describe, expect, it } from 'vitest';
import { chatWire } from '../../../../src/channels/openai/chat-wire.ts';
import { ReplyEvents, type ReplyTexts } from '../../../../src/channels/openai/reply-events.ts';
import { responsesWire } from '../../../../src/channels/openai/responses-wire.ts';
import type { TurnEventType } from '../../../../src/core/events/turn-event.ts';

const event = (type: TurnEventType, fields: object) => ({ seq: 1, type, json: JSON.stringify(fields) });

const texts: ReplyTexts = {
  withdrawn: 'The text above was withdrawn.',
  interrupted: 'The server was interrupted.',
  doneBelow: ({ receipts }) => receipts.map(({ title, status }) => `\n${title}: ${status}`).join(''),
};

describe('a reply whose text is replaced (contract/openai.md#streams)', () => {
  // proves service-4.7-52
  it('goes on where it was made longer, and is told not to hold where it was taken back', () => {
    const events = new ReplyEvents(texts);
    expect(events.read(event('text-delta', { text: 'Half ' }))).toBe('Half ');
    expect(events.read(event('text-replaced', { text: 'Half a truth' }))).toBe('a truth');
    expect(events.read(event('text-replaced', { text: 'Nothing was done.' }))).toBe(
      '\n\n[The text above was withdrawn.]\n\nNothing was done.',
    );
    expect(events.read(event('text-delta', { text: ' Really.' }))).toBe(' Really.');
  });

  it('has the message of its fault, and what the turn ended with', () => {
    const events = new ReplyEvents(texts);
    const usage = { inputTokens: 1, outputTokens: 2, model: 'm' };
    events.read(event('error-occurred', { code: 'overloaded', message: 'Please wait.', retryable: true }));
    events.read(event('turn-completed', { status: 'refused', code: 'overloaded', text: '', usage, durationMs: 1 }));
    expect(events.endOf({ running: false, suspended: false })).toEqual({
      status: 'refused',
      code: 'overloaded',
      text: '',
      usage,
      message: 'Please wait.',
      warnings: [],
    });
  });

  // proves wire-27-04
  it('tells what was not read of the message apart from its fault', () => {
    const events = new ReplyEvents(texts);
    const cut = { code: 'file_cut', message: 'Only the beginning was read.' };
    const usage = { inputTokens: 1, outputTokens: 2, model: 'm' };
    events.read(event('error-occurred', { code: 'internal', message: 'Something went wrong.', retryable: false }));
    events.read(event('error-occurred', { ...cut, retryable: false }));
    events.read(event('turn-completed', { status: 'failed', code: 'internal', text: '', usage, durationMs: 1 }));
    expect(events.endOf({ running: false, suspended: false })).toMatchObject({
      message: 'Something went wrong.',
      warnings: [cut],
    });
  });
});

describe('a reply of a turn that would change something (contract/events.md#receipts)', () => {
  const usage = { inputTokens: 1, outputTokens: 2, model: 'm' };
  const receipts = [{ callId: 'c', action: 'cancel', title: 'Cancel', status: 'unknown', at: '' }];

  // proves service-2.14-80
  it('has what was really done at its end', () => {
    const events = new ReplyEvents(texts);
    events.read(event('text-delta', { text: 'Done.' }));
    const ended = event('turn-completed', { status: 'completed', text: 'Done.', usage, durationMs: 1, receipts });
    expect(events.read(ended)).toBe('\nCancel: unknown');
    expect(events.endOf({ running: false, suspended: false }).text).toBe('Done.\nCancel: unknown');
  });

  // proves service-2.14-80
  it('has it in the words of the fault where the turn has failed', () => {
    const events = new ReplyEvents(texts);
    events.read(event('error-occurred', { code: 'model_unavailable', message: 'Please wait.', retryable: true }));
    const fields = { status: 'failed', code: 'model_unavailable', text: '', usage, durationMs: 1, receipts };
    expect(events.read(event('turn-completed', fields))).toBe('');
    expect(events.endOf({ running: false, suspended: false }).message).toBe('Please wait.\nCancel: unknown');
  });
});

describe('a reply whose turn leaves without an end (contract/openai.md#restarts)', () => {
  // proves service-4.7-58
  it.each([
    ['was interrupted', { running: true, suspended: true }, 'interrupted', 'The server was interrupted.'],
    [
      'is read by another reader',
      { running: true, suspended: false },
      'turn_in_progress',
      'Another reader has taken this reply over.',
    ],
  ])('%s, and says so', (_what, turn, code, message) => {
    const events = new ReplyEvents(texts);
    events.read(event('text-delta', { text: 'Half a reply' }));
    const end = events.endOf(turn);
    expect(end).toEqual({ status: 'failed', code, message, text: '', warnings: [], usage: undefined });
    const reply = { turnId: 't', model: 'helper', created: 1 };
    const chat = chatWire(reply, { includesUsage: true }).ending(end);
    expect(chat).toContain(`"code":"${code}"`);
    expect(chat).not.toContain('finish_reason');
    const response = responsesWire(reply).ending(end);
    expect(response).toMatch(/^event: response.failed\n/u);
    expect(response).toContain(`"usage":null`);
  });
});
