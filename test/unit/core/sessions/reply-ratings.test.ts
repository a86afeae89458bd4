import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import { ReplyRatings, type ReplyRatingsOptions } from '../../../../src/core/sessions/reply-ratings.ts';
import { recordingMetrics } from '../../../support/quiet.ts';
import { signedIn } from '../../../support/principals.ts';

/** Ratings of conversations whose storage takes a while. */
function slowRatings() {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const told: string[] = [];
  const rate: NonNullable<ReplyRatingsOptions['conversations']>['rate'] = async (userKey) => {
    begun.push(userKey);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { before: undefined };
  };
  const ratings = new ReplyRatings({
    assistant: { findTurn: () => Promise.resolve(undefined) },
    conversations: { rate },
    metrics: recordingMetrics(),
    onRating: ({ user }) => void told.push(user.userKey),
  });
  const give = (user: Principal): Promise<void> =>
    ratings.give({ turnId: 't', feedback: { rating: 'good' }, conversationId: 'c' }, user, () => undefined);
  return { begun, told, give, goOn: () => waiting.shift()?.() };
}

describe('ratings of replies (contract/sessions.md#ratings)', () => {
  // proves service-16-06
  it('of one user are kept one after the other, and others do not wait for them', async () => {
    const { begun, told, give, goOn } = slowRatings();
    const [ann, bob] = [signedIn('ann'), signedIn('bob')];
    const given = [give(ann), give(ann), give(bob)];
    await expect.poll(() => begun).toEqual([ann.userKey, bob.userKey]);
    goOn();
    await given[0];
    await expect.poll(() => begun).toEqual([ann.userKey, bob.userKey, ann.userKey]);
    goOn();
    goOn();
    await Promise.all(given);
    expect(told).toHaveLength(3);
  });
});
