import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { DailyPurge } from '../../../src/app/daily-purge.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';

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

describe('DailyPurge (contract/sessions.md#snapshots: rows outlive every snapshot, not the disk)', () => {
  // proves wire-5-29
  it('deletes what has been done for more than 30 days, every day until it is ended, and survives a failure', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const journal = new InMemoryConfirmationJournal();
    const log = recordingLogger();
    const purge = vi.spyOn(journal, 'purge').mockRejectedValueOnce(new Error('locked'));
    const metrics = recordingMetrics();
    const purging = new DailyPurge('journal', () => journal.purge(970 * day), { log, metrics });
    for (const [id, at] of [
      ['old', 969 * day],
      ['young', 971 * day],
    ] as const) {
      await journal.requested(entry(id));
      await journal.answered(id, { answer: 'declined', by: 'user' }, at);
    }
    await vi.advanceTimersByTimeAsync(2 * day);
    expect(log.lines).toMatchObject([{ level: 'warn' }]);
    expect(await journal.find('old')).toBeUndefined();
    expect(metrics.counted).toMatchObject([{ what: 'purged', value: ['journal', 1] }]);
    expect(await journal.find('young')).toBeDefined();
    await purging.close();
    await vi.advanceTimersByTimeAsync(2 * day);
    expect(purge).toHaveBeenCalledTimes(2);
  });
});
