/**
 * Whether an image may load. Its address must be relative to the page, lead to a listed host, or hold the picture itself
 * (contract/cards.md).
 */
export function isImageAllowed(url: unknown, imageHosts: readonly string[]): boolean {
  if (typeof url !== 'string') return false;
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/.test(url)) return true;
  if (isRelative(url)) return true;
  return URL.canParse(url) && new URL(url).protocol === 'https:' && imageHosts.includes(new URL(url).host);
}

/**
 * Whether an address is relative to the page, without a scheme and a host. Control characters and backslashes are refused, because browsers
 * may read such an address as another host.
 */
export function isRelative(url: string): boolean {
  // eslint-disable-next-line no-control-regex -- the point is to refuse control characters
  if (/[\u0000-\u0020\\]/.test(url) || url.startsWith('//')) return false;
  return !/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(url);
}
