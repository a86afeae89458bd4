import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { hashArguments } from '../../../../src/core/base/canonical-json.ts';
import { recoverJournal } from '../../../../src/core/confirmations/recover-journal.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const day = 24 * 60 * 60 * 1000;

const entry = (actionId: string) => ({
  actionId,
  callId: `call-${actionId}`,
  turnId: 't',
  conversationId: 'c',
  action: 'close_case',
  argumentsHash: 'h',
  arguments: '{}',
  agent: 'coordinator',
  owner: null,
  requestedAt: 1000,
});

describe('recoverJournal (contract/confirmations.md#the-journal)', () => {
  // proves wire-5-24
  it('cancels what waited, reports what was running as unknown, and leaves what was done', async () => {
    const journal = new InMemoryConfirmationJournal();
    for (const id of ['asked', 'approved', 'running', 'done']) await journal.requested(entry(id));
    for (const id of ['approved', 'running', 'done'])
      await journal.answered(id, { answer: 'approved', by: 'user' }, 1001);
    for (const id of ['running', 'done']) await journal.executing(id, 1002);
    await journal.done('done', 'succeeded', 1003);
    const log = recordingLogger();
    await recoverJournal(journal, log, { now: 2000, retentionMs: day, kept: new Set() });
    expect(await journal.unfinished()).toEqual([]);
    expect(await journal.find('asked')).toMatchObject({ answer: 'cancelled', outcome: 'cancelled' });
    expect(await journal.find('approved')).toMatchObject({ answer: 'approved', outcome: 'cancelled' });
    expect(await journal.find('running')).toMatchObject({ outcome: 'unknown' });
    expect(await journal.find('done')).toMatchObject({ outcome: 'succeeded' });
    expect(log.lines.map(({ level, fields }) => [level, fields])).toMatchObject([
      ['warn', { actionId: 'running', callId: 'call-running' }],
    ]);
  });
});

describe('hashArguments (contract/confirmations.md#the-journal)', () => {
  it('is the same for another order of keys and another for another value', () => {
    expect(hashArguments({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(hashArguments({ b: [{ d: 3, c: 2 }], a: 1 }));
    expect(hashArguments({ a: 1 })).not.toBe(hashArguments({ a: '1' }));
    expect(hashArguments({ a: [1, 2] })).not.toBe(hashArguments({ a: [2, 1] }));
  });
});
