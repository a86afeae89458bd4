import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import { describe, expect, it, vi } from 'vitest';
import { emptyMessage } from '../../../../src/channels/a2a/read-sent.ts';
import { RunningTask } from '../../../../src/channels/a2a/running-task.ts';
import type { RecordedEvent, TurnEventType } from '../../../../src/core/events/turn-event.ts';
import { replyOf, wordsOf } from '../../../support/a2a-client.ts';

const event = (type: TurnEventType, fields: object): RecordedEvent => ({ seq: 1, type, json: JSON.stringify(fields) });

const running = (): RunningTask =>
  new RunningTask({
    id: 'task',
    contextId: 'context',
    message: emptyMessage,
    now: () => 0,
    askingText: ({ actionId, title }) => `${title} at ${actionId}`,
    doneBelow: ({ receipts }) => receipts.map(({ title, status }) => `\n${title}: ${status}`).join(''),
    onState: () => undefined,
  });

/** What an event of the stream says: a text with `+` where it is appended, or a state. */
function said({ payload }: StreamResponse): string {
  if (payload?.$case === 'statusUpdate') return `state ${String(payload.value.status?.state)}`;
  if (payload?.$case !== 'artifactUpdate') return payload?.$case ?? '';
  const content = payload.value.artifact?.parts[0]?.content;
  return `${payload.value.append ? '+' : ''}${content?.$case === 'text' ? content.value : ''}`;
}

async function next(stream: AsyncGenerator<StreamResponse, void, undefined>): Promise<string> {
  const { value } = await stream.next();
  return value === undefined ? 'end' : said(value);
}

const never = new AbortController().signal;

describe('the end of a task that would change something (contract/events.md#receipts)', () => {
  const receipts = [{ callId: 'c', action: 'cancel', title: 'Cancel', status: 'failed', at: '' }];

  // proves service-2.14-80
  it('has what was really done below the reply', async () => {
    const task = running();
    const stream = task.follow(never);
    await next(stream);
    task.onEvent(event('text-delta', { text: 'Done.' }));
    expect(await next(stream)).toBe('Done.');
    task.onEvent(event('turn-completed', { status: 'completed', text: 'Done.', receipts }));
    expect(await next(stream)).toBe('+\nCancel: failed');
    expect(replyOf(task.task)).toBe('Done.\nCancel: failed');
  });

  // proves service-2.14-80
  it('has it in the words of the fault where the turn has failed', () => {
    const task = running();
    task.onEvent(event('error-occurred', { message: 'Please wait.' }));
    task.onEvent(event('turn-completed', { status: 'failed', text: '', receipts }));
    expect(wordsOf(task.task)).toBe('Please wait.\nCancel: failed');
  });
});

describe('what was not read of a message (contract/a2a-server.md#tasks)', () => {
  // proves wire-27-03
  it('is in the metadata of the task, and does not say why a task was stopped', () => {
    const task = running();
    const cut = { code: 'file_cut', message: 'Only the beginning was read.' };
    task.onEvent(event('error-occurred', { ...cut, retryable: false }));
    task.onEvent(event('turn-completed', { status: 'stopped', text: '' }));
    expect(task.task).toMatchObject({ metadata: { warnings: [cut] } });
    expect(wordsOf(task.task)).toBe('');
  });
});

describe('the pieces of a task (contract/a2a-server.md#streams)', () => {
  // proves service-4.8-27
  it('are told at once to a reader that comes for the next one late', async () => {
    const task = running();
    const stream = task.follow(never);
    expect(await next(stream)).toBe('task');
    for (const text of ['Two ', 'orders ', 'are ']) task.onEvent(event('text-delta', { text }));
    expect(await next(stream)).toBe('Two orders are ');
    for (const text of ['op', 'en.']) task.onEvent(event('text-delta', { text }));
    expect(await next(stream)).toBe('+open.');
    task.onEvent(event('turn-completed', { status: 'completed', text: 'Two orders are open.' }));
    expect(await next(stream)).toBe(`state ${String(TaskState.TASK_STATE_COMPLETED)}`);
    expect(await next(stream)).toBe('end');
  });

  // proves service-4.8-26
  it('are told anew where the reply was replaced', async () => {
    const task = running();
    const stream = task.follow(never);
    await stream.next();
    task.onEvent(event('text-delta', { text: 'The secret is 42.' }));
    expect(await next(stream)).toBe('The secret is 42.');
    task.onEvent(event('text-replaced', { text: 'This cannot be shown.' }));
    task.onEvent(event('turn-completed', { status: 'refused', text: 'This cannot be shown.' }));
    expect(await next(stream)).toBe('This cannot be shown.');
    expect(await next(stream)).toBe(`state ${String(TaskState.TASK_STATE_REJECTED)}`);
  });

  // proves wire-10-53
  it('are read while a client waits for the next one, or for the end, and only then', async () => {
    const task = running();
    const stream = task.follow(never);
    expect([await next(stream), task.isRead]).toEqual(['task', false]);
    const [piece, over] = [next(stream), task.over(never)];
    await vi.waitUntil(() => task.isRead);
    task.onEvent(event('text-delta', { text: 'Two ' }));
    expect([await piece, task.isRead]).toEqual(['Two ', true]);
    task.onEvent(event('turn-completed', { status: 'completed', text: 'Two ' }));
    await over;
    expect(task.isRead).toBe(false);
  });

  it('end with the signal of their reader, while the task goes on', async () => {
    const task = running();
    const gone = new AbortController();
    const stream = task.follow(gone.signal);
    await stream.next();
    const waiting = next(stream);
    gone.abort();
    expect(await waiting).toBe('end');
    expect(task.isOver).toBe(false);
  });

  it('end without a state when the turn goes on in the next process', async () => {
    const task = running();
    const stream = task.follow(never);
    await stream.next();
    const [waiting, over] = [next(stream), task.over(never)];
    task.onEnd();
    await over;
    expect(await waiting).toBe('end');
    expect(task.state).toBe(TaskState.TASK_STATE_WORKING);
  });

  it('begin with the whole reply for whoever comes late', async () => {
    const task = running();
    task.onEvent(event('text-delta', { text: 'Two orders.' }));
    task.onEvent(event('turn-completed', { status: 'completed', text: 'Two orders.' }));
    const stream = task.follow(never);
    const { value } = await stream.next();
    expect(JSON.stringify(value)).toContain('Two orders.');
    expect(await next(stream)).toBe('end');
  });
});
