import { describe, expect, it } from 'vitest';
import { confirmationState } from '../../../../src/core/confirmations/confirmation-state.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ConfirmationJournal } from '../../../../src/core/ports/confirmation-journal.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { signedIn } from '../../../support/principals.ts';

const ann = signedIn('ann');
const nobody = anonymousPrincipal('one');

/** A row of ann, or of nobody for a confirmation whose id is the capability. */
async function asked(owner: string | null = ann.userKey): Promise<ConfirmationJournal> {
  const { journal } = memoryStores();
  await journal.requested({
    actionId: 'q',
    callId: 'c',
    turnId: 't',
    conversationId: 'c',
    action: 'close_case',
    argumentsHash: 'h',
    arguments: '{}',
    agent: 'coordinator',
    owner,
    requestedAt: 1,
  });
  return journal;
}

describe('how a confirmation stands (contract/confirmations.md#how-a-question-stands, GET /helper/approve)', () => {
  it('is open until it is answered', async () => {
    expect(await confirmationState(await asked(), 'q', ann)).toEqual({ actionId: 'q', outcome: 'open' });
  });

  it.each(['declined', 'expired', 'cancelled'] as const)(
    'is %s once it ended so, and has no action',
    async (answer) => {
      const journal = await asked();
      await journal.answered('q', { answer, by: 'user' }, 2);
      expect(await confirmationState(journal, 'q', ann)).toEqual({ actionId: 'q', outcome: answer });
    },
  );

  it('is approved, and has its action once that has ended', async () => {
    const journal = await asked();
    await journal.answered('q', { answer: 'approved', by: 'user', executing: {} }, 2);
    expect(await confirmationState(journal, 'q', ann)).toEqual({ actionId: 'q', outcome: 'approved' });
    await journal.done('q', 'succeeded', 1000);
    expect(await confirmationState(journal, 'q', ann)).toEqual({
      actionId: 'q',
      outcome: 'approved',
      action: { status: 'succeeded', at: '1970-01-01T00:00:01.000Z' },
    });
  });

  it('is cancelled when its row was closed without an answer', async () => {
    const journal = await asked();
    await journal.done('q', 'failed', 2);
    expect(await confirmationState(journal, 'q', ann)).toEqual({ actionId: 'q', outcome: 'cancelled' });
  });

  it.each([
    ['another user', signedIn('bob'), 'not_owner'],
    ['nobody', nobody, 'unauthenticated'],
  ])('is not told to %s', async (_title, caller, code) => {
    await expect(confirmationState(await asked(), 'q', caller)).rejects.toMatchObject({ code });
  });

  it('is told to whoever holds the id of one without an owner', async () => {
    expect(await confirmationState(await asked(null), 'q', nobody)).toMatchObject({ outcome: 'open' });
  });

  it('is unknown for an unknown id, and not to be had while storage fails', async () => {
    const journal = await asked();
    expect(await confirmationState(journal, 'nope', ann)).toBeUndefined();
    journal.find = () => Promise.reject(new Error('disk full'));
    await expect(confirmationState(journal, 'q', ann)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
