import { errors } from 'jose';
import type { RefusalReason } from '../../core/errors/error-codes.ts';

const reasonByClaim: Readonly<Record<string, RefusalReason>> = {
  aud: 'audience',
  iss: 'issuer',
  nbf: 'not_yet_valid',
};

/** What is wrong with a token, in a word: for the security log. */
export function refusalOf(error: unknown): RefusalReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return reasonByClaim[error.claim] ?? 'claims';
  // A token whose key the issuer does not name was signed by somebody else.
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return 'signature';
  }
  return error instanceof errors.JOSEAlgNotAllowed ? 'algorithm' : 'malformed';
}
