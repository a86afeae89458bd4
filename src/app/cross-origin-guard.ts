import { createCrossOriginGuard, type CrossOriginGuard } from '../channels/shared/cross-origin.ts';
import type { HelperSettings } from '../config/settings.ts';

/** The cross-origin rule of these settings for a server that is bound to `host`. */
export function crossOriginGuard({ server, cors }: HelperSettings, host: string): CrossOriginGuard {
  return createCrossOriginGuard({
    publicUrl: server.publicUrl,
    host,
    hosts: server.hosts,
    allowedOrigins: cors.default.origins,
    credentials: cors.default.credentials,
  });
}

/** These settings without any other website. */
export function withoutWebsites(settings: HelperSettings): HelperSettings {
  return { ...settings, cors: { default: { ...settings.cors.default, origins: [], credentials: false } } };
}
