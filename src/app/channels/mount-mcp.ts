import type { Admission } from '../../channels/shared/admit-requests.ts';
import { RequestIdentity } from '../../channels/shared/request-identity.ts';
import { createRequestRate } from '../../channels/shared/request-rate.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { mcpPolicy } from '../cors-policy.ts';
import { packageVersion } from '../own-package.ts';
import type { MountChannel, MountServices } from './mount-channel.ts';

/** Whether the users of programs are asked on a page (contract/mcp-server.md#confirmations). */
export function asksOnPage({ mcpServerEnabled, endpoints }: HelperSettings): boolean {
  return mcpServerEnabled && endpoints.mcp?.confirmations === 'page';
}

async function confirmMessage({ language }: HelperSettings): Promise<(title: string) => string> {
  const { confirmTexts, filled } = await import('../../channels/confirm/texts/texts-for.ts');
  return (title) => filled(confirmTexts[language].confirmHere, { action: title });
}

/** Bytes of a request over MCP: the arguments of one call. */
const bodyLimit = 1024 * 1024;

/** The path of the MCP server, with `server.basePath`. */
export function mcpPath({ server, endpoints, mcpServerPath }: HelperSettings): string {
  return `${server.basePath}${endpoints.mcp?.path ?? mcpServerPath}`;
}

/** The actions as tools of an MCP server (contract/mcp-server.md). */
export const mountMcp: MountChannel = (http, services) => {
  const { settings, assistant, log } = services;
  if (!settings.mcpServerEnabled) return;
  const path = mcpPath(settings);
  const metadata = metadataOf(settings, path);
  const { publicUrl } = settings.server;
  const addressOf = ({ protocol, host }: { readonly protocol: string; readonly host: string }): string =>
    `${publicUrl === '' ? `${protocol}://${host}` : new URL(publicUrl).origin}${http.prefix}`;
  // Loaded only here: most servers have no MCP server.
  void http.register(async (app) => {
    const { mcpChannel, mcpMetadata } = await import('../../channels/mcp/mcp-channel.ts');
    await app.register(mcpChannel, {
      path,
      direct: assistant.direct,
      info: { name: settings.appName, version: packageVersion() },
      from: settings.mcpCallerPrincipal,
      admission: admissionOf(services),
      isDraining: () => assistant.draining,
      bodyLimit,
      metadata,
      addressOf,
      cors: mcpPolicy(settings),
      log,
      confirmations: asksOnPage(settings)
        ? {
            pathOf: (actionId) => `${settings.server.basePath}/helper/confirm/${actionId}`,
            messageOf: await confirmMessage(settings),
          }
        : undefined,
    });
    if (metadata !== undefined) await app.register(mcpMetadata, { path, addressOf, metadata });
  });
};

/**
 * Websites need a policy that `endpoints.mcp.cors` names, so `cors.default` opens nothing here by itself
 * (contract/mcp-server.md#who-may-ask). A cookie signs nobody in: a browser sends it without anybody's wish.
 */
function admissionOf({ settings, admission, mcpPages, prepared, metrics, clock }: MountServices): Admission {
  const { requireAuthorization, roles, rateLimit } = settings.endpoints.mcp ?? everybody;
  const rate =
    rateLimit === null
      ? undefined
      : createRequestRate({ ...rateLimit, metrics: metrics.metrics, now: () => clock.elapsed() });
  const identity = new RequestIdentity({ authenticator: prepared.authenticator, cookie: undefined, hubPath: '' });
  return { ...admission, identity, guard: mcpPages, authorization: { requireAuthorization, roles }, rate };
}

const everybody = { requireAuthorization: false, roles: [], rateLimit: null };

function metadataOf({ auth, endpoints }: HelperSettings, path: string): { path: string; issuer: string } | undefined {
  const issuer = auth.jwt?.issuer;
  const { requireAuthorization = false, roles = [] } = endpoints.mcp ?? {};
  if (typeof issuer !== 'string' || !(requireAuthorization || roles.length > 0)) return undefined;
  return { path: `/.well-known/oauth-protected-resource${path}`, issuer };
}
