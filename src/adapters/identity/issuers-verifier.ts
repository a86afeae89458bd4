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
    const surely = this.#verifiers.filter((verifier) => verifier.claims(named) === 'surely');
    const asked =
      surely.length > 0 ? surely : this.#verifiers.filter((verifier) => verifier.claims(named) === 'perhaps');
    let refusal: Error | undefined;
    for (const verifier of asked) {
      try {
        return await verifier.verify(token);
      } catch (error) {
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
  if (error.code === 'overloaded') return 3;
  return error.refusal === 'signature' || error.refusal === 'algorithm' ? 1 : 2;
}
