import { isIPv6 } from 'node:net';

/**
 * Who an address counts as where a limit is per address: an IPv4 address as itself, also when IPv6 carries it, and an IPv6
 * address as its /64. That is what one line is given at least, and its owner may use any of its addresses. A client that has
 * gone, as one does with a reset, has no address any more, whatever Fastify's type of `request.ip` says.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'gone';
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%', 1);
  if (!isIPv6(bare)) return address;
  const groups = groupsOf(bare);
  const [sixth, seventh = 0, eighth = 0] = groups.slice(5);
  if (sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [seventh >> 8, seventh & 0xff, eighth >> 8, eighth & 0xff].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // A URL writes every address in one way: no dots, in lower case.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname.slice(1, -1).split('::').map(hexGroups);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function hexGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
