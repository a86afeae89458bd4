import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClaimRules, principalOfClaims } from '../../../../src/core/identity/principal-of-claims.ts';

const mapped: ClaimRules = { mapInboundClaims: true, nameClaim: 'name', roleClaim: 'role', addRoles: [] };
const plain: ClaimRules = { ...mapped, mapInboundClaims: false };
const nameIdentifier = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier';

describe('the user id (contract/identity.md#users)', () => {
  it.each<[string, ClaimRules, object, string | undefined, string | undefined]>([
    // proves service-5-07
    ['NameIdentifier comes first', plain, { [nameIdentifier]: 'ann', sub: 'x' }, 'id:ann', 'ann'],
    // proves service-5-08
    ['sub is NameIdentifier where claims are mapped', mapped, { sub: 'ann', oid: 'x', name: 'Ann' }, 'id:ann', 'ann'],
    ['nameid is NameIdentifier where claims are mapped', mapped, { nameid: 'ann', sub: 'x' }, 'id:ann', 'ann'],
    ['sub is sub where they are not', plain, { sub: 'ann', oid: 'x' }, 'sub:ann', 'sub:ann'],
    ['nameid is nothing where they are not', plain, { nameid: 'ann', oid: 'x' }, 'oid:x', 'oid:x'],
    // proves service-5-07
    ['oid is next', mapped, { oid: '7', name: 'Ann' }, 'oid:7', 'oid:7'],
    // proves service-5-07
    ['the name is the last', mapped, { name: 'Ann' }, 'name:Ann', 'name:Ann'],
    [
      'a nameClaim of its own',
      { ...mapped, nameClaim: 'email' },
      { name: 'x', email: 'a@b.c' },
      'name:a@b.c',
      'name:a@b.c',
    ],
    ['a number is a text', mapped, { sub: 42 }, 'id:42', '42'],
    ['an empty claim is none', mapped, { sub: '', oid: '7' }, 'oid:7', 'oid:7'],
    ['a list names nobody', mapped, { sub: ['ann', 'bob'] }, undefined, undefined],
    ['nobody is named by a list, even beside a name', mapped, { sub: ['ann'], name: 'Ann' }, undefined, undefined],
    ['an object names nobody', mapped, { sub: { id: 'ann' }, name: 'Ann' }, undefined, undefined],
    ['a yes names nobody', mapped, { sub: true, name: 'Ann' }, undefined, undefined],
    // 9007199254740993 is read as 9007199254740992, which is the id of another user.
    ['a number too large to be exact names nobody', mapped, { sub: 2 ** 53, name: 'Ann' }, undefined, undefined],
    ['a fraction names nobody', mapped, { sub: 0.5 }, undefined, undefined],
    ['no claim at all names nobody', mapped, { role: 'Admin' }, undefined, undefined],
  ])('%s', (_title, rules, claims, userKey, id) => {
    const user = principalOfClaims({ ...claims }, rules);
    expect([user?.userKey, user?.id]).toEqual([userKey, id]);
  });

  // proves service-5-07
  it("cannot be spelled like another claim's (contract/identity.md#tokens)", () => {
    const claim = fc.constantFrom(nameIdentifier, 'sub', 'oid', 'name');
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('ann', 'sub:ann', 'id:ann', 'oid:sub:ann', 'name:id:ann', 'anon:x'),
    );
    fc.assert(
      fc.property(claim, value, claim, value, (...[oneClaim, oneValue, otherClaim, otherValue]) => {
        const one = principalOfClaims({ [oneClaim]: oneValue }, plain)?.userKey;
        const other = principalOfClaims({ [otherClaim]: otherValue }, plain)?.userKey;
        expect(one === other).toBe(oneClaim === otherClaim && oneValue === otherValue);
        expect(one?.startsWith('anon:')).toBe(false);
      }),
    );
  });

  it('takes the name for display from nameClaim, else from the id', () => {
    expect(principalOfClaims({ sub: 'ann', name: 'Ann Lee' }, mapped)?.name).toBe('Ann Lee');
    expect(principalOfClaims({ sub: 'ann' }, mapped)?.name).toBe('ann');
  });
});

describe('roles (contract/identity.md#users)', () => {
  it.each<[string, ClaimRules, object, readonly string[]]>([
    ['role and roles where claims are mapped', mapped, { role: 'A', roles: ['B', 'C'] }, ['A', 'B', 'C']],
    // proves service-5-08
    ['roleClaim alone where they are not', plain, { role: 'A', roles: ['B'] }, ['A']],
    // proves service-5-08
    ['a roleClaim of its own', { ...plain, roleClaim: 'roles' }, { role: 'A', roles: ['B'] }, ['B']],
    ['a nested roleClaim', { ...plain, roleClaim: 'realm_access.roles' }, { realm_access: { roles: ['B'] } }, ['B']],
    ['a claim whose own name has dots', { ...plain, roleClaim: 'a.b' }, { 'a.b': 'B', a: { b: 'C' } }, ['B']],
    ['what is inherited is no claim', { ...plain, roleClaim: 'constructor.name' }, {}, []],
    ['what is no text is no role', plain, { role: [{}, null, 'A', ''] }, ['A']],
    // proves service-5-09
    [
      'addRoles',
      { ...plain, addRoles: [{ claim: 'groups', equals: 'staff', role: 'Agent' }] },
      { groups: ['x', 'staff'] },
      ['Agent'],
    ],
    [
      'addRoles of another value',
      { ...plain, addRoles: [{ claim: 'groups', equals: 'staff', role: 'Agent' }] },
      { groups: 'staffing' },
      [],
    ],
  ])('%s', (_title, rules, claims, roles) => {
    expect([...(principalOfClaims({ sub: 'ann', ...claims }, rules)?.roles ?? [])]).toEqual(roles);
  });
});
