import { isIPv6 } from 'node:net';

/**
 * The network that an address belongs to, for limits per address. An IPv4 address is its own network, also when it is written as an IPv6
 * address. An IPv6 address counts as its /64, because a line gets at least a /64 and its owner may use any address of it. A client that has
 * left, for example with a reset, has no address, whatever Fastify's type of `request.ip` says.
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
