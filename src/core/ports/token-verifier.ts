/** What a token says, once it is known to be genuine and in force. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds from which on the token is refused. */
  readonly expiresAt: number;
}

/** Tells genuine tokens from others (contract/identity.md#tokens `auth.jwt`). */
export interface TokenVerifier {
  /**
   * MUST check signature, algorithm, lifetime and audience before it believes a claim.
   * @throws HelperError `unauthenticated` for a token that is not valid, `overloaded` when the issuer's keys cannot be had.
   */
  verify(token: string): Promise<VerifiedToken>;
  /** Nothing is asked of an issuer any more. */
  close(): void;
}
