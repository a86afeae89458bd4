import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';

/** Signs cards, and tells the public key by which everybody can check the signature. */
export interface CardSigner {
  /** The card with its signature. `keysAt` is the address of the public key. */
  readonly sign: (card: AgentCard, keysAt: string) => Promise<AgentCard>;
  /** The public key as a JSON Web Key Set (RFC 7517). */
  readonly keys: object;
}

/** The members of a key that its thumbprint is made of, in their order (RFC 7638, section 3.2; RFC 8037, section 2). */
const essential: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/**
 * The signer of cards with this key (contract/a2a-server.md#the-card, A2A 1.0, section 8.4). `pem` is a private key that
 * `config/rules` has accepted.
 */
export function cardSigner(pem: string): CardSigner {
  const key = createPrivateKey(pem);
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const [alg, kid] = [algorithmOf(key), thumbprintOf(jwk)];
  return {
    sign: (card, jku) => generateAgentCardSignature(key, { alg, kid, typ: 'JOSE', jku })(card),
    keys: { keys: [{ ...jwk, kid, alg, use: 'sig' }] },
  };
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'rsa') return 'RS256';
  return details?.namedCurve === 'secp384r1' ? 'ES384' : 'ES256';
}

function thumbprintOf(jwk: JsonWebKey): string {
  const members = essential[jwk.kty ?? ''] ?? [];
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])));
  return createHash('sha256').update(text).digest('base64url');
}
