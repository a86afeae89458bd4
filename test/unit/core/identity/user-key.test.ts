import { describe, expect, it } from 'vitest';
import {
  isUserKey,
  keyInTenant,
  keyOfIssuer,
  longestId,
  longestTenant,
  tenantOfKey,
} from '../../../../src/core/identity/user-key.ts';

describe('the key of a user (contract/identity.md#users)', () => {
  const ofIssuer = keyOfIssuer('https://login.example.com/a b', 'id:ann');

  // proves service-5-55
  it('holds the issuer, and the tenant around it', () => {
    expect(ofIssuer).toBe('issuer:https%3A%2F%2Flogin.example.com%2Fa%20b/id:ann');
    expect(tenantOfKey(keyInTenant('a/b', ofIssuer))).toBe('a/b');
    expect(tenantOfKey(ofIssuer)).toBeUndefined();
  });

  // proves service-5-70
  it('is known as one whose parts are as long as they may be', () => {
    const id = `id:${'x'.repeat(longestId)}`;
    expect(isUserKey(keyInTenant('ü'.repeat(longestTenant), ofIssuer.replace('id:ann', id)))).toBe(true);
    expect(isUserKey(`${id}x`)).toBe(false);
  });

  it.each(['id:ann', 'client:sync', ofIssuer, keyInTenant('a/b', ofIssuer)])('is known as one: %s', (key) => {
    expect(isUserKey(key)).toBe(true);
  });

  it.each(['anon:x', 'issuer:x', 'issuer:a/b/id:ann', 'ann'])('is not taken for one: %s', (key) => {
    expect(isUserKey(key)).toBe(false);
  });
});
