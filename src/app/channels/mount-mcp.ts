import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import type { McpLogs } from '../../channels/mcp/call-logs.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { authorizationServers, tokenEntries } from '../../config/token-issuers.ts';
import { mcpPolicy } from '../cors-policy.ts';
import { lineWriter } from '../open-logger.ts';
import type { Resource } from '../open-resources.ts';
import { packageVersion } from '../own-package.ts';
import { addressOfServer } from './address-of-server.ts';
import { admissionOfPrograms } from './admission-of-programs.ts';
import { confirmMessage, confirmPath, mcpAsksOnPage } from './confirm-on-page.ts';
import { callersPlugin, knowsMcpCallers, vouchByPlugin } from './mcp-callers.ts';
import type { MountChannel } from './mount-channel.ts';

/** Bytes of a request over MCP: the arguments of one call. */
const bodyLimit = 1024 * 1024;

/** The path of the MCP server, with `server.basePath`. */
export function mcpPath({ server, endpoints, mcpServerPath }: HelperSettings): string {
  return `${server.basePath}${endpoints.mcp?.path ?? mcpServerPath}`;
}

/** The actions as tools of an MCP server (contract/mcp-server.md). */
export const mountMcp: MountChannel = (http, services) => {
  const { settings, prepared, assistant, elsewhere, metrics, resources, rooms, log } = services;
  if (!settings.mcpServerEnabled) return;
  const path = mcpPath(settings);
  const metadata = mcpMetadataOf(settings, prepared.plugins);
  const vouch = vouchByPlugin(prepared.plugins, { authenticator: prepared.authenticator, log });
  const addressOf = addressOfServer(http, settings);
  // Loaded only here: most servers have no MCP server.
  void http.register(async (app) => {
    const { mcpChannel, mcpMetadata } = await import('../../channels/mcp/mcp-channel.ts');
    await app.register(mcpChannel, {
      path,
      direct: assistant.direct,
      elsewhere,
      info: { name: settings.appName, version: packageVersion() },
      knowsCallers: knowsMcpCallers(settings, prepared.plugins),
      // Websites need a policy that `endpoints.mcp.cors` names (contract/mcp-server.md#who-may-ask): `cors.default` opens nothing by itself.
      admission: { ...admissionOfPrograms(services, settings.endpoints.mcp, vouch), guard: services.mcpPages },
      isDraining: () => assistant.draining,
      maxStreams: settings.server.maxConnections,
      rooms,
      metrics: metrics.metrics,
      onListeners: (listeners) => {
        resources.add(listenersResource(listeners));
      },
      logs: logsOf(settings, { isAlone: elsewhere === undefined }),
      bodyLimit,
      metadata,
      addressOf,
      cors: mcpPolicy(settings),
      log,
      confirmations: mcpAsksOnPage(settings)
        ? {
            pathOf: (actionId) => confirmPath(settings, actionId),
            messageOf: await confirmMessage(settings),
          }
        : undefined,
    });
    if (metadata !== undefined) await app.register(mcpMetadata, { path, addressOf, metadata });
  });
};

/**
 * How callers are sent what actions log (`endpoints.mcp.logs`). Undefined: not at all. A client of an older revision says once which level it
 * wants, and another replica would not know.
 */
function logsOf(
  { endpoints }: Pick<HelperSettings, 'endpoints'>,
  { isAlone }: { readonly isAlone: boolean },
): McpLogs | undefined {
  const level = endpoints.mcp?.logs ?? 'silent';
  return level === 'silent' ? undefined : { level, written: lineWriter(), keepsLevels: isAlone };
}

/** The clients that listen, as a resource. They are told at once that the server ends. */
function listenersResource(listeners: { readonly close: () => void }): Resource {
  const close = (): Promise<void> => {
    listeners.close();
    return Promise.resolve();
  };
  return { name: 'listeners over MCP', drain: close, close };
}

/**
 * Where clients learn who signs them in (RFC 9728), and who that is. Undefined where nobody has to sign in, where no issuer is known, and
 * where a plugin says who calls.
 */
export function mcpMetadataOf(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
): { readonly path: string; readonly issuers: readonly string[] } | undefined {
  const { auth, endpoints, mcpServerEnabled } = settings;
  const issuers = tokenEntries(auth).flatMap(({ settings: entry }) => authorizationServers(entry));
  const { requireAuthorization = false, roles = [] } = endpoints.mcp ?? {};
  if (!mcpServerEnabled || issuers.length === 0 || !(requireAuthorization || roles.length > 0)) return undefined;
  if (callersPlugin(plugins) !== undefined) return undefined;
  return { path: `/.well-known/oauth-protected-resource${mcpPath(settings)}`, issuers: [...new Set(issuers)] };
}
