import { hasHostedTools } from './hosted-tools.ts';
import type { HelperSettings } from './settings.ts';

/**
 * The warning about rules that can hardly ever approve, because the model reads text of others with every message, and
 * `provenance.enforce` then has the user asked (contract/provenance.md#enforcement). Undefined where some calls can be approved.
 */
export function rulesInVain(settings: HelperSettings): string | undefined {
  const { hitlMode, autoApprovalRules, maxAutoApprovalIterations, provenance, requireConfirmation } = settings;
  // 0 lets no rule approve, which is what its writer wants.
  const hasRules =
    maxAutoApprovalIterations !== 0 && (autoApprovalRules.length > 0 || maxAutoApprovalIterations !== null);
  if (!hasRules || hitlMode !== 'Native' || !provenance.enforce || !requireConfirmation) return undefined;
  const servers = serversAlwaysRead(settings);
  const read = [
    ...(servers.length === 0 ? [] : [`what ${servers.join(', ')} say of their tools`]),
    ...(settings.server.channels.includes('hub')
      ? ['the title and the address of the page, which the widget sends']
      : []),
  ];
  if (read.length === 0) return undefined;
  return `autoApprovalRules and "do not ask again" approve nothing where the model reads with every message ${read.join(', and ')}: provenance.enforce has the user asked. Set provenance: { enforce: false } if they are meant to approve, or take them out.`;
}

/** The MCP servers whose words the model reads with every message, whoever asks. */
function serversAlwaysRead(settings: HelperSettings): readonly string[] {
  const { agent, enableToolFiltering, hostedMcpServers, mcpServers } = settings;
  const hosted = hasHostedTools(settings) ? hostedMcpServers.map(({ name }) => `hostedMcpServers.${name}`) : [];
  // An agent that answers in place of a model may not be shown them, and chosen tools may be others.
  if (agent !== null || enableToolFiltering) return hosted;
  const own = mcpServers.filter(
    ({ allowedTools, tools, requiredRoles, tenants }) =>
      // Without a list of them, a server may have tools for which nobody vouches.
      allowedTools?.every((name) => tools[name]?.trusted === true) !== true &&
      requiredRoles.length === 0 &&
      tenants.length === 0,
  );
  return [...hosted, ...own.map(({ name }) => `mcpServers.${name}`)];
}
