import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';
import { refusalOf } from './refusal-of.ts';
import { KeysUnavailable } from './remote-keys.ts';

/** Characters of the longest token looked at: checking one costs time that grows with it. */
const maxTokenLength = 16 * 1024;

export interface JwtVerifierOptions {
  /** What finds the key by the token's header. With several, a token is genuine by any one of them. */
  readonly keys: readonly JWTVerifyGetKey[];
  /** The only ones accepted, whatever a token says of itself. */
  readonly algorithms: readonly string[];
  readonly audience: string | undefined;
  /** The spellings of the issuer a token must name; undefined: any. */
  readonly issuers: readonly string[] | undefined;
  readonly clockToleranceMs: number;
  readonly now: () => number;
  readonly log: Logger;
}

/** Checks JSON Web Tokens: algorithm, signature, lifetime, audience, issuer. A token without an end is refused. */
export class JwtVerifier implements Pick<TokenVerifier, 'verify'> {
  readonly #options: JwtVerifierOptions;
  readonly #checks: JWTVerifyOptions;

  constructor(options: JwtVerifierOptions) {
    this.#options = options;
    this.#checks = {
      algorithms: [...options.algorithms],
      clockTolerance: options.clockToleranceMs / 1000,
      requiredClaims: ['exp'],
      ...(options.audience === undefined ? {} : { audience: options.audience }),
      ...(options.issuers === undefined ? {} : { issuer: [...options.issuers] }),
    };
  }

  async verify(token: string): Promise<VerifiedToken> {
    if (token.length > maxTokenLength) {
      throw new HelperError('unauthenticated', 'The token is too long.', { refusal: 'malformed' });
    }
    try {
      const claims = await this.#check(token);
      const expiresAt = (claims.exp ?? 0) * 1000 + this.#options.clockToleranceMs;
      return { claims, expiresAt };
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  async #check(token: string): Promise<JWTPayload> {
    const checks = { ...this.#checks, currentDate: new Date(this.#options.now()) };
    for (const key of this.#options.keys) {
      try {
        return await checkWith(key, token, checks);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }

  /** The caller learns no more than what it can do about it; the operator finds the reason in the log. */
  #refusal(error: unknown): HelperError {
    if (error instanceof KeysUnavailable) {
      return new HelperError('overloaded', 'Tokens cannot be checked at the moment.', { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.debug({ reason }, 'a token was refused');
    const detail = error instanceof errors.JWTExpired ? 'The token has expired.' : 'The token is not valid.';
    return new HelperError('unauthenticated', detail, { cause: error, refusal: refusalOf(error) });
  }
}

/** The claims of a token that was signed with this key, and that holds now. */
async function checkWith(key: JWTVerifyGetKey, token: string, checks: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, checks)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token that names no key, and an issuer with several: the signature tells which one it is.
    for await (const candidate of error) {
      const verified = await jwtVerify(token, candidate, checks).catch((fault: unknown) => {
        // Claims are looked at behind the signature: it was this key. Any other fault is one of a key that is not it.
        if (fault instanceof errors.JWTExpired || fault instanceof errors.JWTClaimValidationFailed) throw fault;
        return undefined;
      });
      if (verified !== undefined) return verified.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
