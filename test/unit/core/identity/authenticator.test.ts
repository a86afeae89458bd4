import { describe, expect, it, vi } from 'vitest';
import { Authenticator, type AuthenticatorOptions } from '../../../../src/core/identity/authenticator.ts';
import { HelperError } from '../../../../src/core/errors/helper-error.ts';
import { recordingLogger } from '../../../support/quiet.ts';

function authenticator(options: Partial<AuthenticatorOptions> & { readonly claims?: object } = {}): Authenticator {
  return new Authenticator({
    verifier: {
      verify: async () => ({ claims: { sub: 'ann', ...options.claims }, expiresAt: 7 }),
      close: () => undefined,
    },
    rules: { mapInboundClaims: true, nameClaims: ['name'], idNameClaim: 'name', roleClaims: ['role'], addRoles: [] },
    transforms: [],
    anonymousIdentity: 'PerSession',
    log: recordingLogger(),
    ...options,
  });
}

describe('Authenticator (contract/identity.md)', () => {
  it('knows the user of a valid token and until when', async () => {
    const caller = await authenticator().authenticate('token');
    expect(caller).toMatchObject({ principal: { kind: 'signed-in', userKey: 'id:ann' }, expiresAt: 7 });
  });

  it('ends what its verifier does by itself when the server closes', () => {
    const close = vi.fn();
    authenticator({ verifier: { verify: () => Promise.reject(new Error('not asked')), close } }).close();
    authenticator({ verifier: undefined }).close();
    expect(close).toHaveBeenCalledOnce();
  });

  // proves service-5-11
  it('gives each anonymous caller a key of its own, or all the same (contract/identity.md#users)', () => {
    const perSession = authenticator();
    expect(perSession.anonymous().principal.userKey).not.toBe(perSession.anonymous().principal.userKey);
    const shared = authenticator({ anonymousIdentity: 'Shared' });
    expect(shared.anonymous().principal.userKey).toBe(shared.anonymous().principal.userKey);
  });

  it('knows a user whom the host vouches for by the key of a token with that sub, with the same transformations', async () => {
    const byRule = authenticator({
      rules: {
        mapInboundClaims: true,
        nameClaims: ['name'],
        idNameClaim: 'name',
        roleClaims: ['role'],
        addRoles: [{ claim: 'team', equals: 'desk', role: 'Clerk' }],
      },
      transforms: [async ({ id }) => ({ roles: [`of ${id}`], claims: { seen: true } })],
    });
    const user = { id: 'ann', name: 'Ann', roles: ['Supervisor'], claims: { team: 'desk', sub: 'eve', nameid: 'eve' } };
    const principal = await byRule.vouchedFor(user);
    expect(principal).toEqual({
      kind: 'signed-in',
      userKey: (await authenticator().authenticate('token')).principal.userKey,
      id: 'ann',
      name: 'Ann',
      roles: new Set(['Supervisor', 'Clerk', 'of ann']),
      claims: { team: 'desk', sub: 'ann', nameid: 'eve', seen: true },
    });
  });

  it('takes a token that names nobody for anonymous (contract/identity.md#users)', async () => {
    const caller = await authenticator({ claims: { sub: '', role: 'Admin' } }).authenticate('token');
    expect(caller.principal).toMatchObject({ kind: 'anonymous', unnamed: true, roles: new Set(['Admin']) });
  });

  // proves service-5-58
  it('never gives a token that names nobody the key that callers without a token share', async () => {
    const shared = authenticator({ anonymousIdentity: 'Shared', claims: { sub: '', role: 'Admin' } });
    const { principal } = await shared.authenticate('token');
    expect(principal.userKey).not.toBe(shared.anonymous().principal.userKey);
    expect(principal.userKey).not.toBe((await shared.authenticate('token')).principal.userKey);
  });

  it('lets a refused token stay refused', async () => {
    const verify = () => Promise.reject(new HelperError('unauthenticated', 'no'));
    await expect(
      authenticator({ verifier: { verify, close: () => undefined } }).authenticate('token'),
    ).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  // proves service-5-09
  it('adds the roles and claims of transformClaims, each on top of the one before', async () => {
    const seen: unknown[] = [];
    const add = (role: string) => async (user: { readonly roles: ReadonlySet<string> }) => {
      seen.push([...user.roles]);
      return { roles: [role], claims: { [role]: true } };
    };
    const { principal } = await authenticator({ transforms: [add('One'), add('Two')] }).authenticate('token');
    expect(principal).toMatchObject({ userKey: 'id:ann', roles: new Set(['One', 'Two']) });
    expect(principal).toMatchObject({ claims: { sub: 'ann', One: true, Two: true } });
    expect(seen).toEqual([[], ['One']]);
  });

  it('lets nobody in while transformClaims fails', async () => {
    const transforms = [() => Promise.reject(new Error('directory is down'))];
    await expect(authenticator({ transforms }).authenticate('token')).rejects.toMatchObject({ code: 'internal' });
  });
});
