import { describe, expect, it } from 'vitest';
import { ReplyEvents } from '../../../../src/channels/openai/reply-events.ts';
import type { TurnEventType } from '../../../../src/core/events/turn-event.ts';

const event = (type: TurnEventType, fields: object) => ({ seq: 1, type, json: JSON.stringify(fields) });

describe('a reply whose text is replaced (contract/openai.md#streams)', () => {
  it('goes on where it was made longer, and is told not to hold where it was taken back', () => {
    const events = new ReplyEvents('The text above was taken back.');
    expect(events.read(event('text-delta', { text: 'Half ' }))).toBe('Half ');
    expect(events.read(event('text-replaced', { text: 'Half a truth' }))).toBe('a truth');
    expect(events.read(event('text-replaced', { text: 'Nothing was done.' }))).toBe(
      '\n\n[The text above was taken back.]\n\nNothing was done.',
    );
    expect(events.read(event('text-delta', { text: ' Really.' }))).toBe(' Really.');
  });

  it('has the message of its fault, and what the turn ended with', () => {
    const events = new ReplyEvents('');
    const usage = { inputTokens: 1, outputTokens: 2, model: 'm' };
    expect(events.end).toBeUndefined();
    events.read(event('error-occurred', { code: 'overloaded', message: 'Please wait.', retryable: true }));
    events.read(event('turn-completed', { status: 'refused', code: 'overloaded', text: '', usage, durationMs: 1 }));
    expect(events.end).toEqual({ status: 'refused', code: 'overloaded', text: '', usage, message: 'Please wait.' });
  });
});
