import type { ScaleOutSettings } from '../settings.ts';
import type { Rule, RuleFault } from './rule.ts';

/** Redis has exactly one kind of address, and an address is used (contract/replicas.md#settings). */
export const redisAddressRule: Rule = ({ scaleOut }) => {
  const { type, url, sentinel, cluster } = scaleOut;
  const given = [
    ...(url === null ? [] : ['url']),
    ...(sentinel === null ? [] : ['sentinel']),
    ...(cluster.length === 0 ? [] : ['cluster']),
  ];
  if (type === 'none') return given.map((key) => unused(key));
  if (given.length === 0) return [missingAddress];
  if (cluster.length > 0 && given.length > 1)
    return [at('cluster', 'is not possible beside url or sentinel: name the nodes of a Redis Cluster alone')];
  if (sentinel !== null && url?.startsWith('redis+unix:') === true)
    return [at('url', 'is of a socket, but Sentinels name servers by host and port: take redis:// or rediss://')];
  return addressLists(scaleOut).flatMap(([key, addresses]) => differingAddresses(key, addresses));
};

/**
 * Replicas need a storage, keys and a bus that they share. Without any of these each would go on alone and nobody would notice
 * (contract/replicas.md#settings).
 */
export const replicasRule: Rule = ({ scaleOut: { type, replicas }, storage, dataProtection: { keys, keyFile } }) => {
  if (type === 'none' && replicas === 1) return [];
  const because = replicas > 1 ? `scaleOut.replicas is ${String(replicas)}` : 'scaleOut.type is redis';
  const noBus =
    type === 'none' ? [at('type', `is none, but ${because}: replicas reach each other over redis alone`)] : [];
  const noStorage =
    storage.type === 'postgres'
      ? []
      : [
          {
            path: ['storage', 'type'],
            message: `is ${storage.type}, but ${because}: what replicas keep must be in one place, with storage.type postgres`,
          },
        ];
  const noKeys =
    keys.length > 0 || keyFile !== null
      ? []
      : [
          {
            path: ['dataProtection', 'keys'],
            message: `names no key, but ${because}: all replicas need the same keys; openssl rand -base64 32 makes one`,
          },
        ];
  return [...noBus, ...noStorage, ...noKeys];
};

const missingAddress: RuleFault = {
  ...at('url', 'is missing: scaleOut.type redis needs the address of Redis, or sentinel, or cluster'),
  follows: ['scaleOut'],
};

function unused(key: string): RuleFault {
  return { ...at(key, 'has no effect without scaleOut.type redis'), follows: ['scaleOut', 'type'] };
}

function at(key: string, message: string): RuleFault {
  return { path: ['scaleOut', key], message };
}

function addressLists({
  sentinel,
  cluster,
}: ScaleOutSettings): readonly (readonly [readonly string[], readonly string[]])[] {
  return [
    [['sentinel', 'addresses'], sentinel?.addresses ?? []],
    [['cluster'], cluster],
  ];
}

/** Addresses whose TLS, user or password would be passed over, because those of the first one hold for all. */
function differingAddresses(key: readonly string[], [first, ...others]: readonly string[]): readonly RuleFault[] {
  return others.flatMap((other, index) =>
    first === undefined || isLike(new URL(first), new URL(other))
      ? []
      : [
          {
            path: ['scaleOut', ...key, index + 1],
            message: 'has another scheme, user or password than the first address, whose ones hold for all',
          },
        ],
  );
}

function isLike(first: URL, other: URL): boolean {
  if (first.protocol !== other.protocol) return false;
  const hasNone = other.username === '' && other.password === '';
  return hasNone || (first.username === other.username && first.password === other.password);
}
