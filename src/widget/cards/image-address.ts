import type { Endpoints } from '../nodes/own-endpoints.ts';
import { safeLink } from '../nodes/safe-link.ts';

/**
 * The address of an image that may load (contract/cards.md): of the page's own origin, of a listed host, or a `data:` address inside the
 * card. Null for any other image, and for an endpoint of the server.
 */
export function imageAddress(address: string, imageHosts: readonly string[], endpoints: Endpoints = {}): string | null {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/.test(address)) return address;
  const safe = safeLink(address, endpoints);
  if (safe === null || safe.startsWith('mailto:')) return null;
  if (!/^https?:/i.test(safe)) return safe;
  if (!URL.canParse(safe)) return null;
  const { protocol, host } = new URL(safe);
  return protocol === 'https:' && imageHosts.includes(host) ? safe : null;
}
