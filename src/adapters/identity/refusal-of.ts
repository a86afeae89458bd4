import { errors } from 'jose';
import type { RefusalReason } from '../../core/errors/error-codes.ts';

const reasonByClaim: Readonly<Record<string, RefusalReason>> = {
  aud: 'audience',
  iss: 'issuer',
  tid: 'issuer',
  client_id: 'audience',
  azp: 'audience',
  cid: 'audience',
  appid: 'audience',
  nbf: 'not_yet_valid',
};

/** The word with which the security log says what is wrong with a token. */
export function refusalOf(error: unknown): RefusalReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return reasonByClaim[error.claim] ?? 'claims';
  // The issuer does not name this token's key, so somebody else signed the token.
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return 'signature';
  }
  return error instanceof errors.JOSEAlgNotAllowed ? 'algorithm' : 'malformed';
}
