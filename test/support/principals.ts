import type { SignedIn } from '../../src/core/identity/principal.ts';

/** A signed-in user of a test. */
export function signedIn(name: string, ...roles: string[]): SignedIn {
  return { kind: 'signed-in', userKey: `id:${name}`, id: name, name, roles: new Set(roles), claims: { sub: name } };
}
