import { describe, expect, it } from 'vitest';
import { checkOwner } from '../../../../src/core/identity/check-owner.ts';
import { anonymousPrincipal, type Principal } from '../../../../src/core/identity/principal.ts';

function user(id: string): Principal {
  return { kind: 'signed-in', userKey: `sub:${id}`, id, name: id, roles: new Set(), claims: {} };
}

function fault(owner: Principal, caller: Principal): unknown {
  try {
    checkOwner(owner, caller);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('whose a connection is (wire.md 1)', () => {
  it.each([
    ['a user’s own', user('anna'), user('anna'), undefined],
    ['an anonymous one, by an anonymous caller', anonymousPrincipal('1'), anonymousPrincipal('2'), undefined],
    ['a user’s, by an anonymous caller', user('anna'), anonymousPrincipal('1'), 'unauthenticated'],
    ['a user’s, by another user', user('anna'), user('bert'), 'not_owner'],
    ['an anonymous one, by a user', anonymousPrincipal('1'), user('anna'), 'not_owner'],
  ])('%s', (_title, owner, caller, code) => {
    const thrown = fault(owner, caller);
    if (code === undefined) expect(thrown).toBeUndefined();
    else expect(thrown).toMatchObject({ code });
  });
});
