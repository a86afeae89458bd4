import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWTVerifyGetKey } from 'jose';
import type { TokenVerifier } from '../../core/ports/token-verifier.ts';
import { CachedVerifier } from './cached-verifier.ts';
import { algorithmsOfKey, publicKeyAlgorithms, secretAlgorithms } from './jwt-algorithms.ts';
import { IssuersVerifier } from './issuers-verifier.ts';
import { JwtVerifier } from './jwt-verifier.ts';
import { keySetAt, keySetOfIssuer, type KeySetSource } from './key-set-source.ts';
import { RemoteKeys, type RemoteKeysOptions } from './remote-keys.ts';
import type { TokenRules } from './token-rules.ts';

/** One issuer of tokens. Exactly one of the first four is given. */
export interface TokenSettings extends TokenRules {
  /** With a list, a token is genuine if any of the secrets signed it. */
  readonly secret: string | readonly string[] | null;
  readonly publicKeyFile: string | null;
  readonly jwksUrl: string | null;
  /** The address below which the discovery document lies. It must be that of one of `issuers`. */
  readonly discovery: string | null;
  /** Empty: every algorithm that fits the key is accepted. */
  readonly algorithms: readonly string[];
  /** Milliseconds. */
  readonly clockTolerance: number;
  /** The entry of `auth.jwt`. */
  readonly entry: number;
}

/** A setting of `auth.jwt` that cannot be used. */
export class TokenSettingFault extends Error {
  override readonly name = 'TokenSettingFault';
  readonly setting: keyof TokenSettings;
  /** The entry of `auth.jwt`. */
  readonly entry: number;

  constructor({ setting, entry }: { readonly setting: keyof TokenSettings; readonly entry: number }, message: string) {
    super(message);
    this.setting = setting;
    this.entry = entry;
  }
}

/** The keys of one issuer. */
interface Trust {
  /** At least one. */
  readonly keys: readonly JWTVerifyGetKey[];
  /** Every algorithm that fits the kind of key. */
  readonly algorithms: readonly string[];
  readonly moreIssuers?: () => readonly string[];
  readonly close: () => void;
}

const nothingToClose = (): void => undefined;

/**
 * Builds the verifier of tokens of one or several issuers. It does not ask an issuer yet.
 * @throws TokenSettingFault for a key that cannot be used or an algorithm that does not fit it.
 */
export function openTokenVerifier(
  issuers: TokenSettings | readonly TokenSettings[],
  services: RemoteKeysOptions,
): TokenVerifier {
  const opened = [issuers].flat().map((settings) => openIssuer(settings, services));
  const verifiers = opened.map(({ verifier }) => verifier);
  const [first] = verifiers;
  const verifier = verifiers.length === 1 && first !== undefined ? first : new IssuersVerifier(verifiers, services.log);
  const close = (): void => {
    for (const { trust } of opened) trust.close();
  };
  return new CachedVerifier({ verifier, now: services.now, close });
}

function openIssuer(
  settings: TokenSettings,
  services: RemoteKeysOptions,
): { readonly verifier: JwtVerifier; readonly trust: Trust } {
  const trust = openTrust(settings, services);
  const { entry } = settings;
  const unfit = settings.algorithms.find((algorithm) => !trust.algorithms.includes(algorithm));
  if (unfit !== undefined) {
    const fitting = trust.algorithms.join(', ');
    throw new TokenSettingFault(
      { setting: 'algorithms', entry },
      `${unfit} does not fit the key; those that do: ${fitting}`,
    );
  }
  const verifier = new JwtVerifier({
    ...services,
    ...settings,
    keys: trust.keys,
    algorithms: settings.algorithms.length > 0 ? settings.algorithms : trust.algorithms,
    ...(trust.moreIssuers !== undefined && { moreIssuers: trust.moreIssuers }),
    clockToleranceMs: settings.clockTolerance,
  });
  return { verifier, trust };
}

/** Where the keys of an issuer are published. Undefined where the settings hold the key. */
export function keySourceOf({
  jwksUrl,
  discovery,
  issuers,
}: Pick<TokenSettings, 'jwksUrl' | 'discovery' | 'issuers'>): KeySetSource | undefined {
  if (jwksUrl !== null) return keySetAt(jwksUrl);
  return discovery === null ? undefined : keySetOfIssuer(discovery, issuers);
}

function openTrust(settings: TokenSettings, services: RemoteKeysOptions): Trust {
  const { secret, publicKeyFile, discovery, entry } = settings;
  const source = keySourceOf(settings);
  if (source !== undefined) {
    const keys = new RemoteKeys(source, services);
    const trust = { keys: [keys.find], algorithms: publicKeyAlgorithms, close: () => keys.close() };
    return discovery === null ? trust : { ...trust, moreIssuers: () => keys.issuers };
  }
  if (publicKeyFile !== null) return trustOf(publicKeyFile, entry);
  if (secret !== null) {
    const keys = [secret].flat().map((text) => createSecretKey(text, 'utf8'));
    return { keys: keys.map((key) => () => key), algorithms: secretAlgorithms, close: nothingToClose };
  }
  throw new TokenSettingFault({ setting: 'secret', entry }, 'no key is given');
}

function trustOf(file: string, entry: number): Trust {
  const key = readPublicKey(file, entry);
  const algorithms = algorithmsOfKey(key);
  if (algorithms.length > 0) return { keys: [() => key], algorithms, close: nothingToClose };
  throw new TokenSettingFault(
    { setting: 'publicKeyFile', entry },
    'holds a key that signs no tokens: RSA (2048 bits or more), EC (P-256, 384, 521) or Ed25519',
  );
}

function readPublicKey(file: string, entry: number): KeyObject {
  const fault = (message: string): TokenSettingFault =>
    new TokenSettingFault({ setting: 'publicKeyFile', entry }, message);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw fault(`the file ${file} cannot be read`);
  }
  // Node would take the public key out of a private one, and nobody would notice that the private key lies in that file.
  if (text.includes('PRIVATE KEY')) throw fault('holds a private key');
  try {
    return createPublicKey(text);
  } catch {
    throw fault('holds no PEM public key or certificate');
  }
}
