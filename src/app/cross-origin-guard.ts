import { createCrossOriginGuard, type CrossOriginGuard } from '../channels/shared/cross-origin.ts';
import type { HelperSettings } from '../config/settings.ts';

/**
 * The cross-origin rule of these settings for a server that is bound to `host`. `isClosed`: no other website is let in, whatever
 * `cors.default` says.
 */
export function crossOriginGuard(
  { server, cors }: HelperSettings,
  host: string,
  { isClosed = false }: { readonly isClosed?: boolean } = {},
): CrossOriginGuard {
  return createCrossOriginGuard({
    publicUrl: server.publicUrl,
    host,
    hosts: server.hosts,
    allowedOrigins: isClosed ? [] : cors.default.origins,
    credentials: !isClosed && cors.default.credentials,
    isClosed,
  });
}
