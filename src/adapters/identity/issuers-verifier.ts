import { HelperError } from '../../core/errors/helper-error.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';
import type { JwtVerifier } from './jwt-verifier.ts';
import { unverified } from './unverified.ts';

/** Checks tokens of several issuers. What a token says of its issuer only decides with whose keys and rules it is checked. */
export class IssuersVerifier implements Pick<TokenVerifier, 'verify'> {
  readonly #verifiers: readonly JwtVerifier[];
  readonly #log: Logger;

  constructor(verifiers: readonly JwtVerifier[], log: Logger) {
    this.#verifiers = verifiers;
    this.#log = log;
  }

  async verify(token: string): Promise<VerifiedToken> {
    const named = unverified(token)?.claims['iss'];
    const claims = this.#verifiers.map((verifier) => ({ verifier, claim: verifier.claims(named) }));
    const surely = claims.filter(({ claim }) => claim === 'surely');
    let refusal: Error | undefined;
    for (const { verifier, claim } of surely.length > 0 ? surely : claims) {
      if (claim === 'never') continue;
      try {
        return await verifier.verify(token);
      } catch (error) {
        // While that issuer is away, nothing says that the token is one of its own.
        if (claim === 'hardly' && isAway(error)) continue;
        refusal = worse(refusal, error instanceof Error ? error : new Error(String(error)));
      }
    }
    if (refusal !== undefined) throw refusal;
    this.#log.debug({ reason: 'iss: the token is of no issuer of auth.jwt' }, 'a token was refused');
    throw new HelperError('unauthenticated', 'The token is not valid.', { refusal: 'issuer' });
  }
}

/**
 * The refusal that says most. While the keys of an issuer are missing, its token may be a good one. A genuine token that lacks something
 * says more than one of another's.
 */
function worse(first: Error | undefined, second: Error): Error {
  return first === undefined || weight(second) > weight(first) ? second : first;
}

function weight(error: Error): number {
  if (!(error instanceof HelperError)) return 4;
  if (isAway(error)) return 3;
  return error.refusal === 'signature' || error.refusal === 'algorithm' ? 1 : 2;
}

/** Whether the keys of an issuer are missing. */
function isAway(error: unknown): boolean {
  return error instanceof HelperError && error.code === 'overloaded';
}
