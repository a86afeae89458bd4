/** In the name of an issuer, this stands for the tenant of a token. */
export const tenantPlaceholder = '{tenantid}';

/** A name of the settings that is the name of an issuer, and the tenant in it. */
export interface MatchedIssuer {
  /** As the settings write it, with the tenant in place of the placeholder. */
  readonly name: string;
  readonly tenant: string | undefined;
}

/** Compares the name that a token gives its issuer with the names of the settings. Undefined when it is none of them. */
export function matchIssuer(named: unknown, names: readonly string[]): MatchedIssuer | undefined {
  if (typeof named !== 'string') return undefined;
  for (const name of names) {
    const tenant = tenantIn(withoutSlash(named), withoutSlash(name));
    if (tenant === undefined) continue;
    // All names of an issuer are one issuer.
    const [first = name] = names;
    return tenant === ''
      ? { name: withoutSlash(first), tenant: undefined }
      : { name: withoutSlash(first).replace(tenantPlaceholder, tenant), tenant };
  }
  return undefined;
}

/** The text in place of the placeholder, empty where there is none. Undefined when the names differ. */
function tenantIn(named: string, name: string): string | undefined {
  const [before = '', after] = name.split(tenantPlaceholder);
  if (after === undefined) return named === name ? '' : undefined;
  if (!named.startsWith(before) || !named.endsWith(after)) return undefined;
  const tenant = named.slice(before.length, named.length - after.length);
  return named.length > before.length + after.length && /^[A-Za-z0-9._-]{1,200}$/.test(tenant) ? tenant : undefined;
}

/** Whether the name that a token gives its issuer is an address at the host of another name. */
export function isOfHost(named: unknown, name: string): boolean {
  if (typeof named !== 'string' || !URL.canParse(named) || !URL.canParse(name)) return false;
  return new URL(named).hostname === new URL(name).hostname;
}

/** Providers disagree whether the name of an issuer ends in a slash. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/(?<!\/)\/+$/, '');
}
