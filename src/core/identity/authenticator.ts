import { HelperError } from '../errors/helper-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';
import { randomId } from '../base/random-id.ts';
import { anonymousPrincipal, type Principal, sharedAnonymous, type SignedIn } from './principal.ts';
import { type ClaimRules, inTenant, principalOfClaims, rolesIn } from './principal-of-claims.ts';

/** What a claims transformation adds to a user. A transformation takes nothing away. */
export interface AddedClaims {
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** `hooks.transformClaims` (contract/identity.md#tokens). MUST NOT take longer than a request may wait. */
export type ClaimsTransform = (user: SignedIn) => Promise<AddedClaims>;

/** Who calls, and the time until which this is known. */
export interface Caller {
  readonly principal: Principal;
  /** Epoch milliseconds; undefined for callers without a token. */
  readonly expiresAt?: number;
}

/** A user as the host of this process names it. */
export interface VouchedUser {
  /** Not empty. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface AuthenticatorOptions {
  /** Undefined when there is no `auth.jwt`. Then nobody can sign in. */
  readonly verifier: TokenVerifier | undefined;
  readonly rules: ClaimRules;
  /** The rules of each entry of `auth.jwt` that has its own. */
  readonly rulesOfIssuers?: readonly ClaimRules[];
  readonly transforms: readonly ClaimsTransform[];
  readonly anonymousIdentity: 'PerSession' | 'Shared';
  readonly log: Logger;
}

/** Finds out who sends a request, in the same way for every channel (contract/identity.md#users). */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  #verifier: TokenVerifier | undefined;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#verifier = options.verifier;
  }

  /**
   * Replaces the verifier of tokens. A token that only the earlier verifier accepted is refused from now on. Allowed only where tokens are
   * checked (`enabled`).
   */
  trust(verifier: TokenVerifier): void {
    this.#verifier?.close();
    this.#verifier = verifier;
  }

  /** Whether tokens are checked. Without a check, every caller is anonymous. */
  get enabled(): boolean {
    return this.#verifier !== undefined;
  }

  /** Ends all requests to an issuer. */
  close(): void {
    this.#verifier?.close();
  }

  anonymous(): Caller {
    const shared = this.#options.anonymousIdentity === 'Shared';
    return { principal: shared ? sharedAnonymous : anonymousPrincipal(randomId()) };
  }

  /**
   * The caller behind a token. A token that names neither a user nor a client has no identity, so its caller counts as anonymous, with the
   * roles of the token (contract/identity.md#users).
   * @throws HelperError `unauthenticated` for a token that is not valid, because a caller with a wrong token never counts as anonymous
   * (contract/identity.md#tokens); `forbidden` for a user without a tenant (contract/identity.md#tenants).
   */
  async authenticate(token: string): Promise<Caller> {
    if (this.#verifier === undefined) return this.anonymous();
    const { claims, expiresAt, entry = 0, issuer, tenant } = await this.#verifier.verify(token);
    const rules = this.#options.rulesOfIssuers?.[entry] ?? this.#options.rules;
    const user = principalOfClaims(claims, rules, rules.ownUsers === true ? issuer : undefined);
    requireTenant(user, rules, tenant);
    if (user === undefined) return { principal: this.#unnamed(rolesIn(claims, rules)), expiresAt };
    return { principal: await this.#transform(user), expiresAt };
  }

  /**
   * A user whom the host of this process vouches for. Such a user has the same key, roles by rule and transformations as the user of a
   * token with this `sub`. The roles that the host gives are added. @throws HelperError `forbidden` for a user without a tenant.
   */
  async vouchedFor({ id, name, roles, claims }: VouchedUser): Promise<Principal> {
    const { rules } = this.#options;
    const sub = { sub: id };
    const user = principalOfClaims(sub, { ...rules, tenantClaim: undefined });
    if (user === undefined) return this.anonymous().principal;
    const byRule = principalOfClaims({ ...claims, ...sub }, rules);
    requireTenant(byRule, rules);
    const vouched = {
      ...user,
      name: name ?? user.name,
      roles: new Set([...roles, ...(byRule?.roles ?? [])]),
      claims: { ...claims, ...sub },
    };
    return this.#transform(inTenant(vouched, byRule?.tenant));
  }

  /** Whoever has a valid token that names nobody. What such a caller may see by its roles is kept from the shared key of all others. */
  #unnamed(roles: ReadonlySet<string>): Principal {
    return { ...anonymousPrincipal(randomId()), roles, unnamed: true };
  }

  async #transform(user: SignedIn): Promise<SignedIn> {
    let transformed = user;
    for (const transform of this.#options.transforms) {
      try {
        const { roles, claims } = await transform(transformed);
        transformed = {
          ...transformed,
          roles: new Set([...transformed.roles, ...roles]),
          claims: { ...transformed.claims, ...claims },
        };
      } catch (error) {
        // Who the user is may depend on the transformation, so nobody is let in without it.
        this.#options.log.error({ error }, 'hooks.transformClaims failed');
        throw new HelperError('internal', 'The claims of the caller could not be completed.', { cause: error });
      }
    }
    return transformed;
  }
}

/**
 * Where there are tenants, a token without a tenant is refused. As an anonymous caller, its user would be outside of every tenant. Where the
 * issuer itself is that of a tenant, its tokens cannot speak for another.
 */
function requireTenant(user: SignedIn | undefined, { tenantClaim }: ClaimRules, ofIssuer?: string): void {
  if (tenantClaim === undefined) return;
  if (user?.tenant === undefined)
    throw new HelperError('forbidden', 'Your token names no tenant.', { refusal: 'tenant' });
  if (ofIssuer === undefined || user.tenant === ofIssuer) return;
  throw new HelperError('forbidden', 'Your token names another tenant than that of its issuer.', { refusal: 'tenant' });
}
