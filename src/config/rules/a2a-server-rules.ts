import { createPrivateKey } from 'node:crypto';
import { faultsOfPage } from './mcp-server-rules.ts';
import type { Rule } from './rule.ts';

/** The endpoint of the A2A server has settings only where there is one. */
export const a2aEndpointRule: Rule = ({ a2aServerEnabled, endpoints }) => {
  if (a2aServerEnabled || endpoints.a2a === null) return [];
  const message = 'has no effect while a2aServerEnabled is false';
  return [{ path: ['endpoints', 'a2a'], message, follows: ['a2aServerEnabled'] }];
};

/** The page of a question needs an address that browsers reach, and a cookie by which they sign in. */
export const a2aConfirmationsRule: Rule = ({ a2aServerEnabled, endpoints, server, auth }) =>
  a2aServerEnabled && endpoints.a2a?.confirmations === 'page'
    ? faultsOfPage(['endpoints', 'a2a', 'confirmations'], { server, auth })
    : [];

/** The key that signs the card can be used (contract/a2a-server.md#the-card). */
export const signingKeyRule: Rule = ({ endpoints, server }) => {
  const pem = endpoints.a2a?.signingKey ?? undefined;
  if (pem === undefined) return [];
  const path = ['endpoints', 'a2a', 'signingKey'];
  // Otherwise a client could have a card signed that names an address of its own.
  if (server.publicUrl === '') return [{ path, message: 'needs server.publicUrl', follows: ['server', 'publicUrl'] }];
  if (isSigningKey(pem)) return [];
  const message = 'is no private key in PEM of a kind that signs: EC P-256 or P-384, Ed25519, or RSA from 2048 bits';
  return [{ path, message }];
};

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = createPrivateKey(pem);
    if (type === 'ec') return ['prime256v1', 'secp384r1'].includes(details.namedCurve ?? '');
    return type === 'ed25519' || (type === 'rsa' && (details.modulusLength ?? 0) >= 2048);
  } catch {
    return false;
  }
}
