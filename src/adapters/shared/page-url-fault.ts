const placeholder = /\{[A-Za-z0-9_]+\}/g;

/**
 * Why a page may not have this address. Undefined when it may. The address must be relative to the host application or use https. Its
 * placeholders `{name}` must stand in the path, the query or the fragment, so that an argument never chooses the site.
 */
export function pageUrlFault(url: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- browsers drop control characters, which would hide a scheme
  if (/[\u0000-\u0020\u007f\\]/.test(url)) return 'must not hold spaces, control characters or backslashes';
  if (/[{}]/.test(url.replaceAll(placeholder, '')))
    return 'has a brace that is not part of a placeholder like {orderNumber}';
  if (url.startsWith('//')) return 'must be relative to the host application, or begin with https://';
  const scheme = /^[^/?#]*:/.exec(url)?.[0];
  if (scheme === undefined) return url.startsWith('{') ? 'must not begin with a placeholder' : undefined;
  if (scheme.toLowerCase() !== 'https:' || !/^https:\/\/[^/?#]/i.test(url)) {
    return 'must be relative to the host application, or begin with https://';
  }
  const site = /^https:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  if (/[{}@]/.test(site)) return 'must not have a placeholder or a user name in its host';
  return URL.canParse(site) ? undefined : 'has a host that is not valid';
}
