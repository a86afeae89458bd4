import type { KeyObject } from 'node:crypto';

/** Algorithms whose secret both sides know. They are never accepted where the key is a public one. */
export const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const edwardsAlgorithms = ['EdDSA', 'Ed25519'] as const;

const curveAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Algorithms that the keys of an issuer may use. Each key is used only with those of its own type. */
export const publicKeyAlgorithms = [...rsaAlgorithms, ...Object.values(curveAlgorithms), ...edwardsAlgorithms] as const;

/** Bits. RFC 7518 3.3 forbids shorter keys. */
const shortestRsaKey = 2048;

/** The algorithms that fit one public key. Empty for a kind of key that signs no tokens. */
export function algorithmsOfKey(key: KeyObject): readonly string[] {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return (key.asymmetricKeyDetails?.modulusLength ?? 0) < shortestRsaKey ? [] : rsaAlgorithms;
    case 'ec': {
      const algorithm = curveAlgorithms[key.asymmetricKeyDetails?.namedCurve ?? ''];
      return algorithm === undefined ? [] : [algorithm];
    }
    case 'ed25519':
      return edwardsAlgorithms;
    default:
      return [];
  }
}
