import { shownAddress } from '../adapters/a2a-client/agent-address.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { ClientSettings } from '../wire/client-settings.ts';
import { reportEndpoints } from './server-report.ts';
import type { WidgetOptions } from './widget-options.ts';

/** Slower or faster speech is hard to follow, and not every browser supports it (contract/widget.md#voice, `voiceRate`). */
const slowest = 0.5;
const fastest = 2;

/**
 * The address under which the script finds this server (contract/widget.md). Without `client.hubUrl` it is `basePath`. Otherwise it is the
 * part of `client.hubUrl` before the path of the hub; a part without an origin is below `basePath`.
 */
export function scriptBase({ client: { hubUrl }, server }: HelperSettings, basePath: string): string {
  if (hubUrl === null) return basePath;
  const base = hubUrl.slice(0, -server.hubPath.length);
  return /^https?:/i.test(base) ? base : `${basePath}${base}`;
}

/**
 * The endpoints of this server for the widget, which makes no links to them. `base` is the address under which the script finds the server;
 * `prefix` stands before the addresses that have no `server.basePath`.
 */
export function endpointPaths(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
  { base, prefix }: { readonly base: string; readonly prefix: string },
): readonly string[] {
  const { basePath } = settings.server;
  const paths = reportEndpoints(settings, plugins)
    // The metrics of another port are no endpoint of this address, and the demo page is a page.
    .map(({ path }) => path)
    .filter((path) => !path.includes(' ') && path !== `${basePath}/`)
    .map((path) => (path.startsWith(`${basePath}/`) ? `${base}${path.slice(basePath.length)}` : `${prefix}${path}`));
  const below = `${base}/helper`;
  return [below, ...paths.filter((path) => path !== below && !path.startsWith(`${below}/`))];
}

/** The address of the tour's steps; nothing without a tour. A path is relative to the address of the server (contract/widget.md#tour). */
export function tourSettings(
  { enableOnboardingTour }: Pick<WidgetOptions, 'enableOnboardingTour'>,
  tourUrl: string,
  base: string,
): Pick<ClientSettings, 'tourUrl'> {
  if (!enableOnboardingTour) return {};
  return { tourUrl: /^\/(?!\/)/.test(tourUrl) ? `${base}${tourUrl}` : tourUrl };
}

type VoiceOptions = Pick<WidgetOptions, Extract<keyof WidgetOptions, `enableVoice${string}` | `voice${string}`>>;

/** How the widget speaks and listens. Empty when it does neither. */
export function voiceSettings(options: VoiceOptions): Pick<ClientSettings, 'voice'> {
  const { enableVoiceInput: input, enableVoiceOutput: output } = options;
  if (!input && !output) return {};
  return {
    voice: {
      input,
      output,
      streaming: options.voiceStreaming,
      bargeIn: options.voiceBargeIn,
      handsFree: input && output && options.voiceHandsFree,
      rate: Math.min(fastest, Math.max(slowest, options.voiceRate)),
    },
  };
}

/** The hosts of `links.hosts` as one regular expression for the widget. Empty when links may lead to any host. */
export function linkSettings(hosts: readonly string[]): Pick<ClientSettings, 'linkHosts'> {
  if (hosts.length === 0) return {};
  const patterns = hosts.map((glob) =>
    glob.replace(/\./g, '\\.').replace(/[*?]/g, (sign) => (sign === '*' ? '.*' : '.')),
  );
  return { linkHosts: `^(?:${patterns.join('|')})$` };
}

/**
 * Whether `client` decides on the names of hosted tools, and those it names until the connection tells of them. Nothing where the top level
 * decides: it may change while the server runs.
 */
export function hostedSettings({
  client: { showHostedToolsStatus: showsHostedTools, hostedTools },
  showHostedToolsStatus,
}: Pick<HelperSettings, 'client' | 'showHostedToolsStatus'>): Pick<
  ClientSettings,
  'showsHostedTools' | 'expectedTools'
> {
  const isShown = showsHostedTools ?? showHostedToolsStatus;
  return {
    ...(showsHostedTools === null ? {} : { showsHostedTools }),
    ...(isShown && hostedTools.length > 0 ? { expectedTools: hostedTools } : {}),
  };
}

/** Whether the widget of the script leaves out which documents a reply goes by (contract/widget.md#documents). */
export function sourcesSettings({ showRagSources }: HelperSettings['client']): Pick<ClientSettings, 'hidesSources'> {
  return showRagSources === false ? { hidesSources: true } : {};
}

/**
 * Whether the widget shows how remote agents are doing, and which it names until the connection tells of them
 * (contract/widget.md#remote-agents). `client` is left out for the embed page, which goes by the top level.
 */
export function remoteAgentSettings(
  { showA2AStatus }: Pick<HelperSettings, 'showA2AStatus'>,
  client?: Pick<HelperSettings['client'], 'showA2AStatus' | 'hasRemoteAgents' | 'remoteAgentDisplays'>,
): Pick<ClientSettings, 'showsRemoteAgents' | 'expectedAgents'> {
  const isShown = client?.showA2AStatus ?? showA2AStatus;
  if (!isShown || client?.hasRemoteAgents === false) return {};
  if (client?.hasRemoteAgents !== true) return { showsRemoteAgents: true };
  const expectedAgents = client.remoteAgentDisplays.map(({ name, agentCardUrl }) => ({
    name,
    agentCardUrl: agentCardUrl === null ? '' : shownAddress(agentCardUrl),
    status: 'connecting' as const,
  }));
  return { showsRemoteAgents: true, expectedAgents };
}

/**
 * Whether the widget shows how MCP servers are doing, and which it names until the connection tells of them (contract/widget.md#mcp-servers).
 * `client` is left out for the embed page, which goes by the top level.
 */
export function mcpSettings(
  { showMcpStatus }: Pick<HelperSettings, 'showMcpStatus'>,
  client?: Pick<HelperSettings['client'], 'showMcpStatus' | 'hasMcpServers' | 'mcpServerNames'>,
): Pick<ClientSettings, 'showsMcpServers' | 'expectedServers'> {
  const isShown = client?.showMcpStatus ?? showMcpStatus;
  if (!isShown || client?.hasMcpServers === false) return {};
  if (client?.hasMcpServers !== true) return { showsMcpServers: true };
  const expectedServers = client.mcpServerNames.map((name) => ({ name, status: 'connecting' as const, toolCount: 0 }));
  return { showsMcpServers: true, expectedServers };
}
