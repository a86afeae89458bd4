import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWTVerifyGetKey } from 'jose';
import type { TokenVerifier } from '../../core/ports/token-verifier.ts';
import { CachedVerifier } from './cached-verifier.ts';
import { algorithmsOfKey, publicKeyAlgorithms, secretAlgorithms } from './jwt-algorithms.ts';
import { JwtVerifier } from './jwt-verifier.ts';
import { keySetAt, keySetOfIssuer, type KeySetSource, spellingsOfIssuer } from './key-set-source.ts';
import { RemoteKeys, type RemoteKeysOptions } from './remote-keys.ts';

/** The part of `auth.jwt` that decides which tokens are genuine. Exactly one of the first four is given. */
export interface TokenSettings {
  /** With a list, a token is genuine if any of the secrets signed it. */
  readonly secret: string | readonly string[] | null;
  readonly publicKeyFile: string | null;
  readonly jwksUrl: string | null;
  readonly issuer: string | null;
  readonly audience: string | null;
  /** Empty: every algorithm that fits the key is accepted. */
  readonly algorithms: readonly string[];
  /** Milliseconds. */
  readonly clockTolerance: number;
}

/** A setting of `auth.jwt` that cannot be used. */
export class TokenSettingFault extends Error {
  override readonly name = 'TokenSettingFault';
  readonly setting: keyof TokenSettings;

  constructor(setting: keyof TokenSettings, message: string) {
    super(message);
    this.setting = setting;
  }
}

interface Trust {
  /** At least one. */
  readonly keys: readonly JWTVerifyGetKey[];
  /** Every algorithm that fits the kind of key. */
  readonly algorithms: readonly string[];
  readonly close: () => void;
}

const nothingToClose = (): void => undefined;

/**
 * Builds the verifier of tokens. It does not ask an issuer yet.
 * @throws TokenSettingFault for a key that cannot be used or an algorithm that does not fit it.
 */
export function openTokenVerifier(settings: TokenSettings, services: RemoteKeysOptions): TokenVerifier {
  const trust = openTrust(settings, services);
  const unfit = settings.algorithms.find((algorithm) => !trust.algorithms.includes(algorithm));
  if (unfit !== undefined) {
    const fitting = trust.algorithms.join(', ');
    throw new TokenSettingFault('algorithms', `${unfit} does not fit the key; those that do: ${fitting}`);
  }
  const verifier = new JwtVerifier({
    ...services,
    keys: trust.keys,
    algorithms: settings.algorithms.length > 0 ? settings.algorithms : trust.algorithms,
    audience: settings.audience ?? undefined,
    issuers: settings.issuer === null ? undefined : spellingsOfIssuer(settings.issuer),
    clockToleranceMs: settings.clockTolerance,
  });
  return new CachedVerifier({ verifier, now: services.now, close: trust.close });
}

function openTrust(settings: TokenSettings, services: RemoteKeysOptions): Trust {
  const { secret, publicKeyFile, jwksUrl, issuer } = settings;
  const remote = (source: KeySetSource): Trust => {
    const keys = new RemoteKeys(source, services);
    return { keys: [keys.find], algorithms: publicKeyAlgorithms, close: () => keys.close() };
  };
  if (issuer !== null) return remote(keySetOfIssuer(issuer));
  if (jwksUrl !== null) return remote(keySetAt(jwksUrl));
  if (publicKeyFile !== null) return trustOf(readPublicKey(publicKeyFile));
  if (secret !== null) {
    const keys = [secret].flat().map((text) => createSecretKey(text, 'utf8'));
    return { keys: keys.map((key) => () => key), algorithms: secretAlgorithms, close: nothingToClose };
  }
  throw new TokenSettingFault('secret', 'no key is given');
}

function trustOf(key: KeyObject): Trust {
  const algorithms = algorithmsOfKey(key);
  if (algorithms.length > 0) return { keys: [() => key], algorithms, close: nothingToClose };
  throw new TokenSettingFault(
    'publicKeyFile',
    'holds a key that signs no tokens: RSA (2048 bits or more), EC (P-256, 384, 521) or Ed25519',
  );
}

function readPublicKey(file: string): KeyObject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new TokenSettingFault('publicKeyFile', `the file ${file} cannot be read`);
  }
  // Node would take the public key out of a private one, and nobody would notice that the private key lies in that file.
  if (text.includes('PRIVATE KEY')) throw new TokenSettingFault('publicKeyFile', 'holds a private key');
  try {
    return createPublicKey(text);
  } catch {
    throw new TokenSettingFault('publicKeyFile', 'holds no PEM public key or certificate');
  }
}
