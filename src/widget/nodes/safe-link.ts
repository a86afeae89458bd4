import { type Endpoints, isEndpoint } from './own-endpoints.ts';
import type { Attributes } from './node-plan.ts';

/**
 * An address that a click may follow: http, https, mailto or relative to the page. Null for everything else: other schemes, another host
 * without a scheme, control characters and backslashes, which browsers interpret in unexpected ways, and the server's own endpoints.
 */
export function safeLink(address: string, endpoints: Endpoints = {}): string | null {
  const trimmed = address.trim();
  // eslint-disable-next-line no-control-regex -- the point is to refuse control characters
  if (trimmed === '' || /[\u0000-\u001f\u007f-\u009f\\]/.test(trimmed) || trimmed.startsWith('//')) return null;
  // A reference that was not decoded, such as `&colon;`, must not stand in the place of a scheme.
  if (/^[^/?#]*&/.test(trimmed)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  const isLink = scheme === undefined || ['http', 'https', 'mailto'].includes(scheme);
  return isLink && !isEndpoint(trimmed, endpoints) ? trimmed : null;
}

/** Attributes of a link that the model or a tool wrote. The link opens in a new tab and tells its target nothing about the conversation. */
export function linkAttributes(address: string): Attributes {
  const target = address.startsWith('mailto:') ? {} : { target: '_blank' };
  return { href: address, rel: 'noopener noreferrer nofollow', ...target };
}
