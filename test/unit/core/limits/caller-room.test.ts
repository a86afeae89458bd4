import { describe, expect, it } from 'vitest';
import { CallerRoom } from '../../../../src/core/limits/caller-room.ts';
import { countedCaller } from '../../../../src/core/limits/counted-caller.ts';
import { queuedBytes } from '../../../../src/core/limits/queued-bytes.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { signedIn } from '../../../support/principals.ts';

const ann = { kind: 'user', key: 'sub:ann' } as const;
const office = { kind: 'address', key: '192.0.2.1' } as const;

describe('CallerRoom (contract/limits.md#callers)', () => {
  it('gives a user and an address as much as each may hold, and no more', () => {
    const room = new CallerRoom({ perUser: 2, perAddress: 3 });
    const given = [ann, ann, ann, office, office, office, office].map((caller) => room.take(caller) !== undefined);
    expect(given).toEqual([true, true, false, true, true, true, false]);
    expect(room.has({ kind: 'user', key: 'sub:bob' })).toBe(true);
  });

  it('tells a user from an address that is spelled the same', () => {
    const room = new CallerRoom({ perUser: 1, perAddress: 1 });
    room.hold({ kind: 'user', key: 'same' });
    expect(room.has({ kind: 'address', key: 'same' })).toBe(true);
  });

  it('has room again once a place is released, once for each place', () => {
    const room = new CallerRoom({ perUser: 1, perAddress: 1 });
    const place = room.take(ann);
    place?.release();
    place?.release();
    expect(room.take(ann)).toBeDefined();
    expect(room.take(ann)).toBeUndefined();
  });

  it('counts what is held anyway, also over the limit', () => {
    const room = new CallerRoom({ perUser: 1, perAddress: 1 });
    const places = [room.hold(ann), room.hold(ann)];
    places[0]?.release();
    expect(room.has(ann)).toBe(false);
    places[1]?.release();
    expect(room.has(ann)).toBe(true);
  });

  it('counts amounts', () => {
    const room = new CallerRoom({ perUser: 10, perAddress: 10 });
    expect(room.take(ann, 11)).toBeUndefined();
    expect(room.take(ann, 7)).toBeDefined();
    expect(room.take(ann, 4)).toBeUndefined();
    expect(room.take(ann, 3)).toBeDefined();
  });

  // proves wire-3-93
  it('is bounded by what all callers hold together, too', () => {
    const room = new CallerRoom({ perUser: 10, perAddress: 10, inAll: 12 });
    const place = room.take(ann, 10);
    expect(room.take(office, 3)).toBeUndefined();
    expect(room.take(undefined, 2)).toBeDefined();
    expect(room.take(undefined)).toBeUndefined();
    place?.release();
    expect(room.take(office, 10)).toBeDefined();
  });
});

describe('countedCaller', () => {
  it('is the user where there is one, else the address, as far as it is known', () => {
    const user = signedIn('ann');
    expect(countedCaller(user, '192.0.2.1')).toEqual({ kind: 'user', key: user.userKey });
    expect(countedCaller(anonymousPrincipal('x'), '192.0.2.1')).toEqual(office);
    expect(countedCaller(anonymousPrincipal('x'), undefined)).toBeUndefined();
  });
});

describe('queuedBytes', () => {
  it('counts the text, names of files that were left out, a submitted card and the page', () => {
    const bare = queuedBytes({ text: '' }, undefined);
    expect(queuedBytes({ text: 'x'.repeat(100) }, undefined)).toBe(bare + 200);
    const message = {
      text: '',
      warnings: [{ code: 'image_type_dropped' as const, name: 'n'.repeat(100) }],
      cardSubmit: { cardId: '1', data: 'd'.repeat(100) },
    };
    expect(queuedBytes(message, { name: 'p'.repeat(100) })).toBeGreaterThan(bare + 600);
  });
});
