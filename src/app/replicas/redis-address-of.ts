import type { RedisAddress } from '../../adapters/bus/redis/redis-address.ts';
import type { ScaleOutSettings } from '../../config/settings.ts';

/** Where Redis is; undefined for a server that is the only one. */
export function redisAddressOf({ type, url, sentinel, cluster }: ScaleOutSettings): RedisAddress | undefined {
  if (type === 'none') return undefined;
  if (sentinel !== null) return { kind: 'sentinel', ...sentinel, url };
  if (url !== null) return { kind: 'server', url };
  return { kind: 'cluster', addresses: cluster };
}
