import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';
import { GroupOverage } from './group-overage.ts';
import { isOfHost, type MatchedIssuer, matchIssuer } from './issuer-names.ts';
import { refusalOf } from './refusal-of.ts';
import { KeysUnavailable } from './remote-keys.ts';
import { judgeClaims, type TokenRules } from './token-rules.ts';

/** The longest token that is checked, in characters. The cost of a check grows with the token's length. */
const maxTokenLength = 16 * 1024;
/** The most keys that a token is tried with which names none. Issuers with more keys name the key in their tokens. */
const mostKeysTried = 20;

export interface JwtVerifierOptions extends TokenRules {
  /** Functions that find the key by the token's header. A token is genuine if any of the keys signed it. */
  readonly keys: readonly JWTVerifyGetKey[];
  /** The accepted algorithms. What a token says about its own algorithm adds none. */
  readonly algorithms: readonly string[];
  /** Further names of the issuer, known once its keys are read. */
  readonly moreIssuers?: () => readonly string[];
  /** The entry of `auth.jwt`. */
  readonly entry: number;
  readonly clockToleranceMs: number;
  readonly now: () => number;
  readonly log: Logger;
}

/** Checks JSON Web Tokens: algorithm, signature, lifetime, issuer, tenant, audience, client. A token without an end is refused. */
export class JwtVerifier implements Pick<TokenVerifier, 'verify'> {
  readonly #options: JwtVerifierOptions;
  readonly #checks: JWTVerifyOptions;
  readonly #overage: GroupOverage;

  constructor(options: JwtVerifierOptions) {
    this.#options = options;
    this.#overage = new GroupOverage(options);
    this.#checks = {
      algorithms: [...options.algorithms],
      clockTolerance: options.clockToleranceMs / 1000,
      requiredClaims: ['exp'],
    };
  }

  /**
   * Whether a token that calls its issuer so is one for this verifier: surely, only if no other is sure, or not at all. `hardly` is for
   * another name at another host, which only the issuer itself can say is its own.
   */
  claims(named: unknown): 'surely' | 'perhaps' | 'hardly' | 'never' {
    const { issuers, moreIssuers } = this.#options;
    if (issuers.length === 0) return 'perhaps';
    if (matchIssuer(named, issuers) !== undefined) return 'surely';
    if (moreIssuers === undefined) return 'never';
    return issuers.some((issuer) => isOfHost(named, issuer)) ? 'perhaps' : 'hardly';
  }

  async verify(token: string): Promise<VerifiedToken> {
    if (token.length > maxTokenLength) {
      throw new HelperError('unauthenticated', 'The token is too long.', { refusal: 'malformed' });
    }
    try {
      const claims = await this.#check(token);
      const issuer = this.#believe(claims);
      this.#overage.note(claims);
      const { entry, clockToleranceMs } = this.#options;
      const expiresAt = (claims.exp ?? 0) * 1000 + clockToleranceMs;
      return { claims, expiresAt, entry, issuer: issuer?.name, tenant: issuer?.tenant };
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

  /** Refuses a token that is genuine, but not one for this server. */
  #believe(claims: JWTPayload): MatchedIssuer | undefined {
    const { issuers, moreIssuers } = this.#options;
    const rules =
      issuers.length === 0 ? this.#options : { ...this.#options, issuers: [...issuers, ...(moreIssuers?.() ?? [])] };
    const { verdicts, issuer } = judgeClaims(claims, rules);
    const wrong = verdicts.find(({ ok }) => !ok);
    if (wrong === undefined) return issuer;
    throw new errors.JWTClaimValidationFailed(`${wrong.claim}: ${wrong.says}`, claims, wrong.claim, 'check_failed');
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
    let tried = 0;
    // The token names no key and the issuer has several, so each of them is tried on the signature.
    for await (const candidate of error) {
      tried += 1;
      if (tried > mostKeysTried) break;
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
