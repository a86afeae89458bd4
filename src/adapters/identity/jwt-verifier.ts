import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';
import { refusalOf } from './refusal-of.ts';
import { KeysUnavailable } from './remote-keys.ts';

/** The longest token that is checked, in characters. The cost of a check grows with the token's length. */
const maxTokenLength = 16 * 1024;

export interface JwtVerifierOptions {
  /** Functions that find the key by the token's header. A token is genuine if any of the keys signed it. */
  readonly keys: readonly JWTVerifyGetKey[];
  /** The accepted algorithms. What a token says about its own algorithm adds none. */
  readonly algorithms: readonly string[];
  readonly audience: string | undefined;
  /** The spellings of the issuer that a token must name. Undefined accepts any issuer. */
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

  /** Tells the caller only what the caller can change. The reason goes to the operator's log. */
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

/** Returns the claims of a token that this key signed and that is valid now. */
async function checkWith(key: JWTVerifyGetKey, token: string, checks: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, checks)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // The token names no key and the issuer has several, so each of them is tried on the signature.
    for await (const candidate of error) {
      const verified = await jwtVerify(token, candidate, checks).catch((fault: unknown) => {
        // jose checks claims only after the signature, so a wrong claim means that this key signed. After any other fault the next key is
        // tried.
        if (fault instanceof errors.JWTExpired || fault instanceof errors.JWTClaimValidationFailed) throw fault;
        return undefined;
      });
      if (verified !== undefined) return verified.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
