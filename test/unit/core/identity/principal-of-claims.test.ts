import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryClaims } from '../../../../src/config/token-issuers.ts';
import { settingsWith } from '../../config/load-from-text.ts';
import { type ClaimRules, principalOfClaims } from '../../../../src/core/identity/principal-of-claims.ts';

const mapped: ClaimRules = {
  mapInboundClaims: true,
  nameClaims: ['name'],
  idNameClaim: 'name',
  roleClaims: ['role'],
  addRoles: [],
};
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
      { ...mapped, nameClaims: ['email'], idNameClaim: 'email' },
      { name: 'x', email: 'a@b.c' },
      'name:a@b.c',
      'name:a@b.c',
    ],
    ['a number is a text', mapped, { sub: 42 }, 'id:42', '42'],
    ['an empty claim is none', mapped, { sub: '', oid: '7' }, 'oid:7', 'oid:7'],
    // proves service-5-70
    ['an id that fits into no key names nobody', mapped, { sub: 'x'.repeat(2_001) }, undefined, undefined],
    ['a list names nobody', mapped, { sub: ['ann', 'bob'] }, undefined, undefined],
    ['nobody is named by a list, even beside a name', mapped, { sub: ['ann'], name: 'Ann' }, undefined, undefined],
    ['an object names nobody', mapped, { sub: { id: 'ann' }, name: 'Ann' }, undefined, undefined],
    ['a yes names nobody', mapped, { sub: true, name: 'Ann' }, undefined, undefined],
    // 9007199254740993 is read as 9007199254740992, which is the id of another user.
    ['a number too large to be exact names nobody', mapped, { sub: 2 ** 53, name: 'Ann' }, undefined, undefined],
    ['a fraction names nobody', mapped, { sub: 0.5 }, undefined, undefined],
    ['half a character names nobody', mapped, { sub: 'eve\ud800', name: 'Eve' }, undefined, undefined],
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

  // proves service-5-60
  it('takes the first name that a token has', () => {
    const { nameClaims } = entryClaims(settingsWith(`auth: { jwt: { secret: ${'x'.repeat(32)} } }\n`))[0] ?? mapped;
    const named = ['name', 'preferred_username', 'upn', 'cognito:username', 'email'];
    for (const [index, claim] of named.entries()) {
      const claims = Object.fromEntries(named.slice(index).map((one) => [one, `by ${one}`]));
      expect(principalOfClaims({ sub: 'ann', ...claims }, { ...mapped, nameClaims })).toMatchObject({
        id: 'ann',
        name: `by ${claim}`,
      });
    }
  });

  // proves service-5-58
  it('knows a service by its client, and no person', () => {
    expect(principalOfClaims({ client_id: 'sync', azp: 'x' }, mapped)).toMatchObject({
      userKey: 'client:sync',
      name: 'sync',
    });
    expect(principalOfClaims({ azp: 'sync' }, mapped)?.userKey).toBe('client:sync');
    for (const person of ['sid', 'auth_time', 'email', 'preferred_username', 'amr', 'nonce']) {
      expect(principalOfClaims({ azp: 'sync', [person]: 'x' }, mapped)).toBeUndefined();
    }
    expect(principalOfClaims({ azp: 'sync', sub: ['ann'] }, mapped)).toBeUndefined();
  });
});

describe('roles (contract/identity.md#users)', () => {
  it.each<[string, ClaimRules, object, readonly string[]]>([
    ['role and roles where claims are mapped', mapped, { role: 'A', roles: ['B', 'C'] }, ['A', 'B', 'C']],
    // proves service-5-08
    ['roleClaim alone where they are not', plain, { role: 'A', roles: ['B'] }, ['A']],
    // proves service-5-08
    ['a roleClaim of its own', { ...plain, roleClaims: ['roles'] }, { role: 'A', roles: ['B'] }, ['B']],
    ['a nested roleClaim', { ...plain, roleClaims: ['realm_access.roles'] }, { realm_access: { roles: ['B'] } }, ['B']],
    // proves service-5-59
    ['several roleClaims', { ...plain, roleClaims: ['a', 'b.c'] }, { a: 'A', b: { c: ['B', 'C'] } }, ['A', 'B', 'C']],
    // proves service-5-59
    [
      'a roleClaim for any name',
      { ...plain, roleClaims: ['resource_access.*.roles'] },
      { resource_access: { shop: { roles: ['A'] }, desk: { roles: ['B'] }, none: {} }, resource: { roles: ['C'] } },
      ['A', 'B'],
    ],
    [
      'an address for any host',
      { ...plain, roleClaims: ['https://*/roles'] },
      { 'https://a.example/roles': ['A'] },
      ['A'],
    ],
    [
      'names with dots on the way',
      { ...plain, roleClaims: ['r.my.app.roles'] },
      { r: { 'my.app': { roles: 'A' } } },
      ['A'],
    ],
    // proves service-5-59
    [
      'the keys of an object that are not denied',
      { ...plain, roleClaims: ['roles'] },
      { roles: { clerk: { '7': 'shop.example' }, lead: true, owner: false, guest: null } },
      ['clerk', 'lead'],
    ],
    ['no keys of a claim that nobody named', mapped, { roles: { admin: true } }, []],
    // proves service-5-59
    [
      'scopes at spaces',
      { ...plain, roleClaims: ['scope', 'scp'] },
      { scope: 'read  write', scp: ['a b'] },
      ['read', 'write', 'a b'],
    ],
    ['no other claim at spaces', { ...plain, roleClaims: ['groups'] }, { groups: 'read write' }, ['read write']],
    [
      'the permissions of Clerk at commas',
      { ...plain, roleClaims: ['o.per'] },
      { o: { per: 'read,manage' } },
      ['read', 'manage'],
    ],
    ['no group at commas', { ...plain, roleClaims: ['groups'] }, { groups: 'CN=a,OU=b' }, ['CN=a,OU=b']],
    ['a claim whose own name has dots', { ...plain, roleClaims: ['a.b'] }, { 'a.b': 'B', a: { b: 'C' } }, ['B']],
    ['what is inherited is no claim', { ...plain, roleClaims: ['constructor.name'] }, {}, []],
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
