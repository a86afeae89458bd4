import { entraHosts } from '../../core/base/entra-hosts.ts';
import { type MatchedIssuer, matchIssuer } from './issuer-names.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What the claims of a token must say before they are believed. An empty list asks for nothing. */
export interface TokenRules {
  /** The names by which a token may call its issuer; `{tenantid}` stands for any tenant. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly clients: readonly string[];
  /** `clients` is compared with the audience, and the client that asked for a token is of the same Google project. */
  readonly clientsOfProject: boolean;
  readonly tenants: readonly string[];
  /** Tenants that the placeholder does not stand for. */
  readonly withoutTenants: readonly string[];
  /** The one tenant that the issuer is of. */
  readonly ofTenant?: string | undefined;
  /** The claim with the tenant of a token whose issuer names none. */
  readonly tenantClaim: string | undefined;
}

/** One rule and what it says of a token. */
export interface RuleVerdict {
  readonly rule: 'issuer' | 'tenant' | 'audience' | 'client';
  /** The claim that decides. */
  readonly claim: string;
  readonly ok: boolean;
  /** What was found, and where it is wrong what must be there. Never more than the token's own values of these claims. */
  readonly says: string;
}

/** Checks the issuer, the tenant, the audience and the client of a token. Rules that the settings leave out give no verdict. */
export function judgeClaims(
  claims: Claims,
  rules: TokenRules,
): { readonly verdicts: readonly RuleVerdict[]; readonly issuer: MatchedIssuer | undefined } {
  const matched = matchIssuer(claims['iss'], rules.issuers);
  const issuer = matched && { ...matched, tenant: matched.tenant ?? rules.ofTenant };
  const verdicts = [
    ...issuerVerdict(claims, rules, issuer),
    ...leftOutVerdict(matched, rules),
    ...ownTenantVerdict(claims, matched),
    ...tenantVerdict(claims, rules, issuer),
    ...audienceVerdict(claims, rules),
    ...clientVerdict(claims, rules),
  ];
  return { verdicts, issuer };
}

function issuerVerdict(
  { iss }: Claims,
  { issuers }: TokenRules,
  matched: MatchedIssuer | undefined,
): readonly RuleVerdict[] {
  if (issuers.length === 0) return [];
  const says = matched === undefined ? `${shown(iss)} is not ${orList(issuers)}` : `${shown(iss)} is taken`;
  return [{ rule: 'issuer', claim: 'iss', ok: matched !== undefined, says }];
}

function leftOutVerdict(matched: MatchedIssuer | undefined, { withoutTenants }: TokenRules): readonly RuleVerdict[] {
  if (matched?.tenant === undefined || !withoutTenants.includes(matched.tenant)) return [];
  return [{ rule: 'tenant', claim: 'iss', ok: false, says: `${shown(matched.tenant)} is left out by the settings` }];
}

/** Issuers of Entra that name a tenant beside those of `entraHosts`: of tokens of version 1, and of customers. */
const otherEntraHosts = /^(?:sts\.windows\.net|sts\.chinacloudapi\.cn|[\w-]+\.ciamlogin\.com)$/;

/** The tenant that an issuer of Entra names. */
function entraTenant(iss: unknown): string | undefined {
  const [, host = '', tenant] =
    typeof iss === 'string' ? (/^https:\/\/([\w.-]+)\/([^/]+)\/(?:v2\.0\/?)?$/.exec(iss) ?? []) : [];
  return entraHosts.includes(host) || otherEntraHosts.test(host) ? tenant : undefined;
}

/** Entra signs the tokens of all tenants with the same keys, so that the tenant of a token must be that of its issuer. */
function ownTenantVerdict({ iss, tid }: Claims, matched: MatchedIssuer | undefined): readonly RuleVerdict[] {
  // Entra may also stand behind a name of one's own.
  const tenant = matched?.tenant ?? entraTenant(iss);
  if (tenant === undefined || tid === undefined) return [];
  const ok = tid === tenant;
  return [
    {
      rule: 'tenant',
      claim: 'tid',
      ok,
      says: ok ? `${shown(tid)} is that of iss` : `${shown(tid)} is not that of iss`,
    },
  ];
}

function tenantVerdict(
  claims: Claims,
  { tenants, tenantClaim }: TokenRules,
  matched: MatchedIssuer | undefined,
): readonly RuleVerdict[] {
  if (tenants.length === 0) return [];
  const claim = matched?.tenant === undefined ? (tenantClaim ?? 'iss') : 'iss';
  const tenant = matched?.tenant ?? (tenantClaim === undefined ? undefined : valueAt(claims, tenantClaim));
  const ok = typeof tenant === 'string' && tenants.includes(tenant);
  const says = ok ? `${shown(tenant)} is taken` : `${shown(tenant)} is not ${orList(tenants)}`;
  return [{ rule: 'tenant', claim, ok, says }];
}

function audienceVerdict({ aud }: Claims, { audiences, clients }: TokenRules): readonly RuleVerdict[] {
  if (audiences.length === 0) return [];
  // Access tokens of Cognito and others have no audience: their client stands in for it.
  const isNone = aud === undefined || (Array.isArray(aud) && aud.length === 0);
  if (isNone && clients.length > 0) return [];
  const ok = textsOf(aud).some((one) => audiences.includes(one));
  return [
    {
      rule: 'audience',
      claim: 'aud',
      ok,
      says: ok ? `${shown(aud)} is taken` : `${shown(aud)} is not ${orList(audiences)}`,
    },
  ];
}

const clientClaims = ['client_id', 'azp', 'cid', 'appid'] as const;

function clientVerdict(claims: Claims, { clients, clientsOfProject }: TokenRules): readonly RuleVerdict[] {
  if (clients.length === 0) return [];
  // An ID token that names no client is for the one in its audience.
  const asked = clientClaims.find((name) => claims[name] !== undefined);
  const claim = clientsOfProject ? 'aud' : (asked ?? 'aud');
  const value = claims[claim];
  const ok = textsOf(value).some((one) => clients.includes(one));
  const says = ok ? `${shown(value)} is taken` : `${shown(value)} is not ${orList(clients)}`;
  const verdict: RuleVerdict = { rule: 'client', claim, ok, says };
  return clientsOfProject && ok ? [verdict, ...projectVerdict(claims, clients)] : [verdict];
}

/**
 * A mobile app asks Google for a token that is for its back end: `aud` is the client of the back end, and `azp` that of the app. Google lets
 * only clients of one project do so. A service account may ask for a token of any audience, so its `azp` must not be passed over.
 */
function projectVerdict({ azp }: Claims, clients: readonly string[]): readonly RuleVerdict[] {
  if (azp === undefined || textsOf(azp).some((one) => clients.includes(one))) return [];
  const project = projectOf(azp);
  const ok = project !== undefined && clients.some((client) => projectOf(client) === project);
  const says = ok ? `${shown(azp)} is of the same project` : `${shown(azp)} is of another project than the clients`;
  return [{ rule: 'client', claim: 'azp', ok, says }];
}

/** The number of the Google project that the id of a client begins with. */
function projectOf(client: unknown): string | undefined {
  return typeof client === 'string'
    ? /^(\d{1,30})(?:-[a-z\d]{1,100})?\.apps\.googleusercontent\.com$/.exec(client)?.[1]
    : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** The claim of this name, else the nested one to which its dots lead. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null;
    return isObject ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
  }, claims);
}

/** Characters of a token's value that a message repeats. */
const mostShown = 200;

/** A value of a token, for messages: control characters are escaped. */
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function orList(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(' or ');
}
