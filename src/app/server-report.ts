import type { Authorization } from '../channels/shared/admit-requests.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { AgentDefinition } from '../core/agents/agent-definition.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import type { Tool, ToolSource } from '../core/tools/tool.ts';
import { sinkNames } from '../core/tools/sink-values.ts';
import type { AgentReport } from './agents/agent-report.ts';
import type { ComposedTools } from './compose-tools.ts';
import { keepsConversations } from './conversations/history-keeper.ts';
import { hasTurns as hasTurnsOfUsers } from './channels/mount-conversations.ts';
import { a2aAsksOnPage, confirmPath, mcpAsksOnPage } from './channels/confirm-on-page.ts';
import { callersPlugin } from './channels/mcp-callers.ts';
import { mcpMetadataOf, mcpPath } from './channels/mount-mcp.ts';
import type { ModelReport } from './model-report.ts';
import { offersFollowUps } from './offers-follow-ups.ts';
import type { NetworkReport } from './open-network.ts';
import type { SkillReport } from './skills/open-skills.ts';
import type { ToolWeight } from './tool-weight.ts';
import { type Unasked, unaskedOf } from './unasked.ts';

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
  /** The specialist that alone has it; null for a tool of the server. */
  readonly agent: string | null;
  readonly tenants: readonly string[];
  /** Its author vouches for its results. */
  readonly trusted: boolean;
  /** The parameters that say where something goes, such as a recipient. */
  readonly sinks: readonly string[];
  /** Whether rules, or users, can spare its question. Null: it does not ask, or nothing answers in place of users. */
  readonly unasked: Unasked | null;
}

/** One MCP server that this server connects to, as operations people see it. Its tools are known once it is connected. */
export interface McpServerReport {
  readonly name: string;
  /** Its address without a query, or its program. */
  readonly target: string;
  readonly transport: 'http' | 'stdio';
  /** Every call asks. Otherwise only the calls of tools do that the server does not declare to be read-only. */
  readonly asksAlways: boolean;
  /** The tools that are taken; null: all. */
  readonly allowedTools: readonly string[] | null;
  readonly roles: readonly string[];
  readonly tenants: readonly string[];
}

/** One address and who can reach it (contract/addresses.md#paths). */
export interface EndpointReport {
  readonly path: string;
  readonly exposure: string;
}

/** The content of `helper check` and of the banner: everything that the server would serve (contract/configuration.md#commands). */
export interface ServerReport {
  readonly models: readonly ModelReport[];
  readonly actions: readonly ActionReport[];
  readonly agents: readonly AgentReport[];
  readonly skills: readonly SkillReport[];
  readonly mcpServers: readonly McpServerReport[];
  readonly endpoints: readonly EndpointReport[];
  readonly network: NetworkReport;
  /** Tools of MCP servers are not known yet. */
  readonly toolWeight: ToolWeight & { readonly words: string };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Who answers. `isAgent`: an agent does, in place of a model. */
  readonly model: { readonly name: string; readonly isDemo: boolean; readonly isAgent?: boolean };
  /** Absolute address of the demo page; null when it is not served. */
  readonly demoPage: string | null;
}

/** Judges every tool as a call of it would be judged, those that only one specialist has included. */
export function reportActions(
  settings: HelperSettings,
  tools: ComposedTools,
  agents: readonly AgentDefinition[],
): Promise<readonly ActionReport[]> {
  const ofServer = tools.toolbox.current.tools.map((tool) => ({ tool, agent: null }));
  const ofAgents = agents.flatMap((agent) =>
    agent.kind === 'specialist' ? agent.ownTools.map((tool) => ({ tool, agent: agent.name })) : [],
  );
  return Promise.all(
    [...ofServer, ...ofAgents].map(async ({ tool, agent }) => {
      const { need, readOnly } = await tools.policy.judge(tool);
      return {
        name: tool.name,
        source: tool.source,
        from: originOf(tool),
        readOnly,
        asks: need.ask,
        reason: need.ask ? need.because : null,
        roles: tool.requiredRoles,
        agent,
        tenants: tool.tenants ?? [],
        trusted: tool.trusted === true,
        sinks: sinkNames(tool.parameters),
        unasked: need.ask ? unaskedOf(tool, agent, { settings, tools }) : null,
      };
    }),
  );
}

function originOf({ source, owner }: Tool): string {
  if (source === 'built-in') return 'built in';
  if (owner.startsWith('mcp:')) return owner.replace('mcp:', 'MCP server ');
  if (owner.startsWith('openapi:')) return owner.replace('openapi:', 'API ');
  return owner.startsWith('callback:') ? owner.replace(':', ' ') : `plugin ${owner}`;
}

/** The MCP servers of the configuration. None of them is connected for the report. */
export function reportMcpServers({ mcpServers }: Pick<HelperSettings, 'mcpServers'>): readonly McpServerReport[] {
  return mcpServers.map(({ name, serverUrl, command = '', allowedTools, ...entry }) => ({
    name,
    target: serverUrl === undefined ? command : withoutQueries(serverUrl),
    transport: serverUrl === undefined ? 'stdio' : 'http',
    asksAlways: entry.requiresConfirmation,
    allowedTools: allowedTools ?? null,
    roles: entry.requiredRoles,
    tenants: entry.tenants,
  }));
}

const open = 'open to anyone';

/** The endpoint table of contract/addresses.md#paths, as far as this configuration serves it. */
export function reportEndpoints(settings: HelperSettings, plugins: readonly LoadedPlugin[]): readonly EndpointReport[] {
  const chat = exposureOf(settings.endpoints.transports);
  const { server, endpoints } = settings;
  const at = (path: string): string => `${server.basePath}${path}`;
  const { metrics } = endpoints;
  const elsewhere = metrics.port === null ? '' : ` on ${metrics.host ?? server.host}:${String(metrics.port)}`;
  const hasTurns = server.channels.length > 0;
  return [
    ...(server.channels.includes('hub') ? [{ path: at(server.hubPath), exposure: chat }] : []),
    ...(server.channels.includes('sse') ? [{ path: at(server.ssePath), exposure: chat }] : []),
    ...reportPrograms(settings, plugins),
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
          ...(settings.enableFeedback
            ? [{ path: at('/helper/feedback'), exposure: 'its user; if anonymous, whoever holds the turnId' }]
            : []),
        ]
      : []),
    ...(server.channels.includes('hub') && offersFollowUps(settings)
      ? [{ path: at('/helper/follow-ups'), exposure: 'its user; if anonymous, whoever holds the connectionId' }]
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
    ...(hasTurnsOfUsers(settings) ? [{ path: at('/helper/user-data'), exposure: 'signed-in users' }] : []),
    ...(hasTurns ? [{ path: at('/helper/tour'), exposure: open }] : []),
    ...widgetPaths(settings).map((path) => ({ path: at(path), exposure: open })),
    { path: at('/helper'), exposure: `${open}: a page for browsers` },
    { path: at('/helper/docs'), exposure: open },
    { path: at('/helper/openapi.json'), exposure: open },
    { path: at('/helper/admin'), exposure: `${open}: a page without figures` },
    { path: at('/helper/admin/metrics'), exposure: dashboardExposure(settings) },
    { path: '/healthz', exposure: open },
    { path: '/readyz', exposure: open },
    ...(server.securityContact === '' ? [] : [{ path: '/.well-known/security.txt', exposure: open }]),
    { path: `${metrics.path}${elsewhere}`, exposure: metrics.token === null ? open : 'bearer token' },
  ];
}

/** The endpoints that programs use. */
function reportPrograms(settings: HelperSettings, plugins: readonly LoadedPlugin[]): readonly EndpointReport[] {
  const { server, endpoints } = settings;
  const at = (path: string): string => `${server.basePath}${path}`;
  const metadata = mcpMetadataOf(settings, plugins);
  return [
    ...(endpoints.openai.enabled
      ? ['/v1/chat/completions', '/v1/responses', '/v1/models'].map((path) => ({
          path: at(path),
          exposure: exposureOf(endpoints.openai),
        }))
      : []),
    ...(endpoints.agui.enabled ? [{ path: at('/agui'), exposure: exposureOf(endpoints.agui) }] : []),
    ...(settings.mcpServerEnabled ? [{ path: mcpPath(settings), exposure: mcpExposure(settings, plugins) }] : []),
    ...(metadata === undefined ? [] : [{ path: metadata.path, exposure: open }]),
    ...(settings.a2aServerEnabled
      ? [
          at(settings.a2aServerPath),
          '/.well-known/agent-card.json',
          ...(endpoints.a2a?.legacy === true ? ['/.well-known/agent.json'] : []),
          ...(typeof endpoints.a2a?.signingKey !== 'string' ? [] : [at('/helper/agent-card-keys.json')]),
        ].map((path) => ({
          path,
          exposure: exposureOf(endpoints.a2a),
        }))
      : []),
    ...(mcpAsksOnPage(settings) || a2aAsksOnPage(settings)
      ? [{ path: confirmPath(settings, '{id}'), exposure: 'its user, signed in by cookie' }]
      : []),
  ];
}

function mcpExposure({ endpoints: { mcp } }: HelperSettings, plugins: readonly LoadedPlugin[]): string {
  const plugin = callersPlugin(plugins);
  if (plugin === undefined) return exposureOf(mcp);
  const roles = mcp === null || mcp.roles.length === 0 ? '' : ` with the role ${mcp.roles.join(' or ')}`;
  return `callers whom the plugin ${plugin.name} knows${roles}`;
}

/** Who may use an endpoint. Null: it is not protected. */
function exposureOf(endpoint: Authorization | null): string {
  if (endpoint === null) return open;
  if (endpoint.roles.length > 0) return `signed-in users with the role ${endpoint.roles.join(' or ')}`;
  return endpoint.requireAuthorization ? 'signed-in users' : open;
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
