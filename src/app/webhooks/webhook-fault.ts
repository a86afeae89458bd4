import { isLoopback } from '../../config/warnings.ts';

/**
 * Why an address may not be told of the ends of turns (contract/sse.md#detached-turns), in words that follow its name. Undefined: it may.
 * `hosts`: `server.webhooks.hosts`.
 */
export function webhookFault(address: string, hosts: readonly string[]): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return 'is no https address';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  if (!hosts.includes(url.host)) return 'is on a host that server.webhooks.hosts does not name';
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) return 'must be https';
  return undefined;
}
