import { hasHostedTools, wantsHosted } from '../config/hosted-tools.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { HostedUse } from '../core/agents/hosted/hosted-use.ts';
import type { HostedOffer, HostedServer } from '../core/ports/hosted-tools.ts';
import type { KillSwitch } from './kill-switch.ts';

/**
 * The tools that the provider of the model runs itself, without those that the kill switch stops (contract/hosted-tools.md#kill-switch).
 * Undefined when the configuration has no such tools, or when the model cannot run them.
 */
export function hostedUse(
  settings: HelperSettings,
  killSwitch: Pick<KillSwitch, 'stops' | 'thrown'> | undefined,
): (() => HostedUse | undefined) | undefined {
  if (!wantsHosted(settings) || !hasHostedTools(settings)) return undefined;
  const whole = useOf(settings);
  let last: { readonly thrown: KillSwitch['thrown']; readonly use: HostedUse | undefined } | undefined;
  return () => {
    const thrown = killSwitch?.thrown;
    if (killSwitch === undefined || thrown === undefined) return whole;
    // The offer stays the same object while the kill switch does not change, because adapters cache its wire form.
    if (last?.thrown !== thrown) last = { thrown, use: switched(whole, killSwitch) };
    return last.use;
  };
}

function useOf(settings: HelperSettings): HostedUse {
  const { hostedTools, hostedToolOptions, hostedToolDomainScope: allowedDomains } = settings;
  const servers = settings.hostedMcpServers.map((server): HostedServer => ({ ...server }));
  const tools = hostedTools.map((name) => ({ name, options: hostedToolOptions[name] ?? {} }));
  return {
    offer: { tools, allowedDomains, servers },
    servers,
    linkDomains: settings.hostedToolDomainCheck && hostedTools.includes('WebSearch') ? allowedDomains : [],
    showsActivity: settings.enableHostedToolActivity,
  };
}

/**
 * The offer without what the kill switch stops. Calls of MCP servers count as writes. While single tools are switched off, the provider
 * must ask this server before every call of an MCP server, and this server refuses the stopped tools: the provider is not told which tools
 * are stopped.
 */
function switched(use: HostedUse, killSwitch: Pick<KillSwitch, 'stops' | 'thrown'>): HostedUse | undefined {
  const tools = use.offer.tools.filter((tool) => !killSwitch.stops(tool, true));
  const servers = killSwitch.thrown?.writes === true ? [] : use.offer.servers.map(asking);
  if (tools.length === 0 && servers.length === 0) return undefined;
  const offer: HostedOffer = { ...use.offer, tools, servers };
  return { ...use, offer };
}

function asking(server: HostedServer): HostedServer {
  return { ...server, requireApproval: true, neverRequireApprovalTools: [] };
}
