import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Tool, ToolSource } from '../core/tools/tool.ts';
import { sinkNames } from '../core/tools/sink-values.ts';
import type { AgentReport } from './agents/agent-report.ts';
import type { ComposedTools } from './compose-tools.ts';
import { keepsConversations } from './conversations/history-keeper.ts';
import type { SkillReport } from './skills/open-skills.ts';

/** One tool as operations people see it: when it asks and who may. */
export interface ActionReport {
  readonly name: string;
  readonly source: ToolSource;
  /** Where it comes from, for people: `plugin order-desk`, `callback crm`. */
  readonly from: string;
  readonly readOnly: boolean;
  readonly asks: boolean;
  /** Why the action asks (`write`, `declared`, `policy`); null when it does not ask. */
  readonly reason: string | null;
  readonly roles: readonly string[];
  readonly tenants: readonly string[];
  /** Its author vouches for its results. */
  readonly trusted: boolean;
  /** The parameters that say where something goes, such as a recipient. */
  readonly sinks: readonly string[];
}

/** One address and who can reach it (contract/addresses.md#paths). */
export interface EndpointReport {
  readonly path: string;
  readonly exposure: string;
}

/** The content of `helper check` and of the banner: everything that the server would serve (contract/configuration.md#commands). */
export interface ServerReport {
  readonly actions: readonly ActionReport[];
  readonly agents: readonly AgentReport[];
  readonly skills: readonly SkillReport[];
  readonly endpoints: readonly EndpointReport[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Who answers. `isAgent`: an agent does, in place of a model. */
  readonly model: { readonly name: string; readonly isDemo: boolean; readonly isAgent?: boolean };
  /** Absolute address of the demo page; null when it is not served. */
  readonly demoPage: string | null;
}

/** Judges every tool as a call of it would be judged. */
export function reportActions(tools: ComposedTools): Promise<readonly ActionReport[]> {
  return Promise.all(
    tools.toolbox.current.tools.map(async (tool) => {
      const { need, readOnly } = await tools.policy.judge(tool);
      return {
        name: tool.name,
        source: tool.source,
        from: originOf(tool),
        readOnly,
        asks: need.ask,
        reason: need.ask ? need.because : null,
        roles: tool.requiredRoles,
        tenants: tool.tenants ?? [],
        trusted: tool.trusted === true,
        sinks: sinkNames(tool.parameters),
      };
    }),
  );
}

function originOf({ source, owner }: Tool): string {
  if (source === 'built-in') return 'built in';
  return owner.startsWith('callback:') ? owner.replace(':', ' ') : `plugin ${owner}`;
}

const open = 'open to anyone';

/** The endpoint table of contract/addresses.md#paths, as far as this configuration serves it. */
export function reportEndpoints(settings: HelperSettings, plugins: readonly LoadedPlugin[]): readonly EndpointReport[] {
  const chat = chatExposure(settings);
  const { server, endpoints } = settings;
  const at = (path: string): string => `${server.basePath}${path}`;
  const { metrics } = endpoints;
  const elsewhere = metrics.port === null ? '' : ` on ${metrics.host ?? server.host}:${String(metrics.port)}`;
  const hasTurns = server.channels.length > 0;
  return [
    ...(server.channels.includes('hub') ? [{ path: at(server.hubPath), exposure: chat }] : []),
    ...(server.channels.includes('sse') ? [{ path: at(server.ssePath), exposure: chat }] : []),
    ...(hasTurns
      ? [
          {
            path: at('/helper/approve'),
            // A confirmation over SSE has no owner (contract/identity.md#whose-it-is).
            exposure: `its user; if anonymous${server.channels.includes('sse') ? ' or over server-sent events' : ''}, whoever holds the actionId`,
          },
          {
            path: at('/helper/cancel'),
            exposure: 'its user; if anonymous, whoever holds the connectionId or turnId',
          },
        ]
      : []),
    ...(server.channels.includes('hub')
      ? [{ path: at('/helper/session'), exposure: 'its user; if anonymous, whoever holds the connectionId' }]
      : []),
    ...(hasTurns && settings.useMemoryContext
      ? [{ path: at('/helper/memory'), exposure: 'its user; if anonymous, whoever holds the connectionId' }]
      : []),
    ...(hasTurns && keepsConversations(settings, plugins)
      ? [{ path: at('/helper/conversations'), exposure: 'signed-in users' }]
      : []),
    ...(hasTurns ? [{ path: at('/helper/user-data'), exposure: 'signed-in users' }] : []),
    ...(hasTurns ? [{ path: at('/helper/tour'), exposure: open }] : []),
    ...widgetPaths(settings).map((path) => ({ path: at(path), exposure: open })),
    { path: at('/helper/openapi.json'), exposure: open },
    { path: at('/helper/admin'), exposure: `${open}: a page without figures` },
    { path: at('/helper/admin/metrics'), exposure: dashboardExposure(settings) },
    { path: '/healthz', exposure: open },
    { path: '/readyz', exposure: open },
    ...(server.securityContact === '' ? [] : [{ path: '/.well-known/security.txt', exposure: open }]),
    { path: `${metrics.path}${elsewhere}`, exposure: metrics.token === null ? open : 'bearer token' },
  ];
}

function chatExposure({ endpoints: { transports } }: HelperSettings): string {
  if (transports.roles.length > 0) return `signed-in users with the role ${transports.roles.join(' or ')}`;
  return transports.requireAuthorization ? 'signed-in users' : open;
}

function dashboardExposure({ dashboardRole, auth }: HelperSettings): string {
  if (dashboardRole === '') return open;
  const nobody = auth.jwt === null ? ', whom nobody can be without auth.jwt' : '';
  return `signed-in users with the role ${dashboardRole}${nobody}`;
}

/** The widget and the embed page speak to the hub, so they are served only together with the hub. */
function widgetPaths({ server, demoPage }: HelperSettings): readonly string[] {
  if (!server.channels.includes('hub')) return [];
  return [
    '/helper/widget.js',
    '/helper/assets/',
    '/helper/embed',
    '/helper/embed.js',
    ...(demoPage ? ['/', '/helper/demo', '/helper/demo/reset'] : []),
  ];
}

/** The address under which a browser on this machine finds the server. A wildcard address becomes an address that a browser can open. */
export function browserAddress(settings: HelperSettings, port: number): string {
  const { server } = settings;
  if (server.publicUrl !== '') return `${server.publicUrl}${server.basePath}`;
  const scheme = server.tls === null ? 'http' : 'https';
  const isLocal = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(server.host);
  const host = isLocal ? 'localhost' : server.host.includes(':') ? `[${server.host}]` : server.host;
  return `${scheme}://${host}:${String(port)}${server.basePath}`;
}
