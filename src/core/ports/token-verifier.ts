/** What a token says, once it is known to be genuine and in force. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds from which on the token is refused. */
  readonly expiresAt: number;
  /** The entry of `auth.jwt` that vouches for the token; 0 where it is left out. */
  readonly entry?: number;
  /** The name of its issuer in the settings, with the tenant in place of the placeholder. Undefined where any issuer is taken. */
  readonly issuer?: string | undefined;
  /** The tenant that the name of its issuer holds. */
  readonly tenant?: string | undefined;
}

/** Tells genuine tokens from others (contract/identity.md#tokens `auth.jwt`). */
export interface TokenVerifier {
  /**
   * MUST check signature, algorithm, lifetime and audience before it believes a claim.
   * @throws HelperError `unauthenticated` for a token that is not valid.
   * @throws HelperError `overloaded` when the keys of the issuer are not available.
   */
  verify(token: string): Promise<VerifiedToken>;
  /** From now on, no request is sent to an issuer. */
  close(): void;
}
