import { createCrossOriginGuard, type CrossOriginGuard } from '../channels/shared/cross-origin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { CorsPolicy, UnnamedPolicy } from './cors-policy.ts';

/**
 * The cross-origin rule of these settings for a server that is bound to `host`. Without a policy (`given` is none), no other website is let in, whatever
 * `cors.default` says.
 */
export function crossOriginGuard(
  { server }: HelperSettings,
  host: string,
  given: CorsPolicy | UnnamedPolicy | undefined,
): CrossOriginGuard {
  const policy = given !== undefined && 'origins' in given ? given : undefined;
  const policySetting = given !== undefined && 'setting' in given ? given.setting : undefined;
  return createCrossOriginGuard({
    publicUrl: server.publicUrl,
    host,
    hosts: server.hosts,
    trustProxy: server.trustProxy,
    allowedOrigins: policy?.origins ?? [],
    credentials: policy?.credentials ?? false,
    policy: policy === undefined ? null : `cors.${policy.name}`,
    policySetting,
  });
}
