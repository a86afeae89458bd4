import { publicKeyAlgorithms, secretAlgorithms } from '../adapters/identity/jwt-algorithms.ts';
import { leavesOutGroups } from '../adapters/identity/group-overage.ts';
import { matchIssuer } from '../adapters/identity/issuer-names.ts';
import { openTokenVerifier } from '../adapters/identity/open-token-verifier.ts';
import { judgeClaims } from '../adapters/identity/token-rules.ts';
import { unverified } from '../adapters/identity/unverified.ts';
import { formatPath } from '../config/located-value.ts';
import type { HelperSettings } from '../config/settings.ts';
import { type TokenIssuer, tokenIssuers } from '../config/token-issuers.ts';
import { HelperError } from '../core/errors/helper-error.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import type { Logger } from '../core/ports/logger.ts';
import { type ClaimRules, principalOfClaims, rolesIn } from '../core/identity/principal-of-claims.ts';
import { claimRules } from './open-identity.ts';

/** One rule of `auth.jwt`, and what it says of a token. */
export interface ExplainedRule {
  readonly rule: string;
  /** Null where nothing can be said without asking the issuer, and where nothing is refused. */
  readonly ok: boolean | null;
  readonly says: string;
}

/** What one entry of `auth.jwt` says of a token. */
export interface ExplainedToken {
  /** Where the entry is written; null where no entry is asked. */
  readonly entry: string | null;
  readonly rules: readonly ExplainedRule[];
}

type Members = Readonly<Record<string, unknown>>;

/** Says which rule a token fails. Nobody is contacted, so keys of an issuer stay unasked. */
export async function explainToken(
  settings: Pick<HelperSettings, 'auth' | 'tenancy'>,
  token: string,
  now: number = Date.now(),
): Promise<readonly ExplainedToken[]> {
  const said = unverified(token);
  if (said === undefined) return [{ entry: null, rules: [{ rule: 'form', ok: false, says: formFault(token) }] }];
  const { header, claims } = said;
  const issuers = tokenIssuers(settings);
  const asked = candidates(issuers, claims['iss']);
  if (asked.length === 0) {
    const says = `iss ${JSON.stringify(claims['iss'] ?? null)} is none of auth.jwt: ${issuers.flatMap((one) => one.issuers).join(', ')}`;
    return [{ entry: null, rules: [{ rule: 'issuer', ok: false, says }] }];
  }
  const rulesOfUsers = claimRules(settings);
  return Promise.all(
    asked.map(async (issuer): Promise<ExplainedToken> => {
      const rules = [
        { rule: 'form', ok: true, says: 'a signed JSON Web Token' },
        algorithmRule(header, issuer),
        await signatureRule(token, issuer, now),
        ...timeRules(claims, issuer, now),
        ...judgeClaims(claims, issuer).verdicts.map(({ rule, claim, ok, says }) => ({
          rule,
          ok,
          says: `${claim} ${says}`,
        })),
        ...userRules(claims, rulesOfUsers[issuer.entry], matchIssuer(claims['iss'], issuer.issuers)),
      ];
      return { entry: formatPath(issuer.path), rules };
    }),
  );
}

/** The issuers that a token is checked with: those that it names, else those that take any name. */
function candidates(issuers: readonly TokenIssuer[], named: unknown): readonly TokenIssuer[] {
  if (issuers.length === 1) return issuers;
  const own = issuers.filter((one) => matchIssuer(named, one.issuers) !== undefined);
  return own.length > 0 ? own : issuers.filter((one) => one.issuers.length === 0);
}

function formFault(token: string): string {
  const parts = token.split('.').length;
  if (parts === 5) {
    return 'is encrypted (five parts): only its issuer can read it. Ask the issuer for a token for your own API, at Auth0 with an audience';
  }
  if (parts === 3) return 'has three parts, but they hold no JSON';
  return `has ${String(parts)} part${parts === 1 ? '' : 's'}, but a JSON Web Token has three: it is one that only its issuer can read`;
}

function algorithmRule({ alg }: Members, { secret, algorithms }: TokenIssuer): ExplainedRule {
  const fitting: readonly unknown[] =
    algorithms.length > 0 ? algorithms : secret === null ? publicKeyAlgorithms : secretAlgorithms;
  const ok = fitting.includes(alg);
  const says = `alg ${JSON.stringify(alg ?? null)} is ${ok ? 'taken' : `not one of ${fitting.join(', ')}`}`;
  return { rule: 'algorithm', ok, says };
}

async function signatureRule(token: string, issuer: TokenIssuer, now: number): Promise<ExplainedRule> {
  const { jwksUrl, discovery } = issuer;
  const address = jwksUrl ?? discovery;
  if (address !== null) {
    return { rule: 'signature', ok: null, says: `is not looked at: its keys lie at ${withoutQueries(address)}` };
  }
  const verifier = openTokenVerifier(issuer, { log: silent, metrics: { issuerFailed: none }, now: () => now });
  try {
    await verifier.verify(token);
  } catch (error) {
    const refusal = error instanceof HelperError ? error.refusal : undefined;
    // The other rules have lines of their own. They are looked at after the signature.
    if (refusal === 'signature') return { rule: 'signature', ok: false, says: 'is by another key' };
    if (refusal === 'algorithm' || refusal === 'malformed') {
      return { rule: 'signature', ok: false, says: 'cannot be checked with this key' };
    }
  } finally {
    verifier.close();
  }
  return { rule: 'signature', ok: true, says: 'is by the key of the settings' };
}

/** The caller is told all that is known. */
const silent: Logger = { debug: none, info: none, warn: none, error: none, child: () => silent };

function none(): void {
  // Nothing is told: the caller has all that is known.
}

function timeRules({ exp, nbf }: Members, { clockTolerance }: TokenIssuer, now: number): readonly ExplainedRule[] {
  const end = typeof exp === 'number' ? exp * 1000 : undefined;
  const start = typeof nbf === 'number' ? nbf * 1000 : undefined;
  const lasts = end !== undefined && now < end + clockTolerance;
  const says =
    end === undefined
      ? 'exp is missing or no number: tokens need an end'
      : `exp ${lasts ? 'is' : 'was'} ${shownTime(end)}`;
  return [
    { rule: 'end', ok: lasts, says },
    ...(start === undefined
      ? []
      : [{ rule: 'beginning', ok: start <= now + clockTolerance, says: `nbf is ${shownTime(start)}` }]),
  ];
}

function shownTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? 'no time' : time.toISOString();
}

/** Who the token signs in. It says so of a token that is refused, too. */
function userRules(
  claims: Members,
  rules: ClaimRules | undefined,
  issuer: ReturnType<typeof matchIssuer>,
): readonly ExplainedRule[] {
  if (rules === undefined) return [];
  const user = principalOfClaims(claims, rules, rules.ownUsers === true ? issuer?.name : undefined);
  const roles = [...rolesIn(claims, rules)];
  const told = leavesOutGroups(claims) ? '; the token leaves out the groups of its user, who has too many' : '';
  const tenant = user?.tenant;
  const ofTenant = issuer?.tenant === undefined || issuer.tenant === tenant;
  return [
    user === undefined
      ? { rule: 'user', ok: null, says: 'names neither a user (sub, oid or the name) nor a client' }
      : { rule: 'user', ok: true, says: `${JSON.stringify(user.userKey)}, shown as ${JSON.stringify(user.name)}` },
    {
      rule: 'roles',
      ok: null,
      says: `${roles.length === 0 ? 'none' : JSON.stringify(roles)}, by ${rules.roleClaims.join(', ')}${told}`,
    },
    ...(rules.tenantClaim === undefined
      ? []
      : [
          {
            rule: 'tenancy',
            ok: tenant !== undefined && ofTenant,
            says: `${rules.tenantClaim} ${tenant === undefined ? 'names no tenant' : `${JSON.stringify(tenant)}${ofTenant ? '' : ' is not that of the issuer'}`}`,
          },
        ]),
  ];
}
