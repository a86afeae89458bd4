import { describe, expect, it } from 'vitest';
import { ownerFault } from '../../../../src/core/identity/owner-check.ts';
import { anonymousPrincipal, type Principal } from '../../../../src/core/identity/principal.ts';
import { signedIn } from '../../../support/principals.ts';

const [ann, bob] = [signedIn('ann'), signedIn('bob')];
const someone = anonymousPrincipal('one');

describe('whose it is (contract/identity.md#whose-it-is)', () => {
  it.each<[string, Principal, Principal, string | undefined]>([
    ["a user's own", ann, signedIn('ann', 'OtherRole'), undefined],
    // proves wire-1-42
    ["a user's, asked for by another user", ann, bob, 'not_owner'],
    // proves wire-1-42
    ["a user's, asked for anonymously", ann, someone, 'unauthenticated'],
    // proves wire-1-61
    ["an anonymous caller's, asked for by one who holds its id", someone, anonymousPrincipal('two'), undefined],
    // proves wire-1-43, wire-1-61
    ["an anonymous caller's, asked for by a user", someone, ann, 'not_owner'],
    ['users that only look alike', ann, { ...ann, userKey: 'name:ann' }, 'not_owner'],
  ])('%s', (_title, owner, caller, fault) => {
    expect(ownerFault(owner, caller)).toBe(fault);
  });
});
