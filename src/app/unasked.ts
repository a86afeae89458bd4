import { hasHostedTools } from '../config/hosted-tools.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { KnowledgeSource } from '../core/ports/knowledge-source.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { ToolProvider } from './providers/tool-provider.ts';

/** Whether the user's answer can be replaced for an action that asks, and what would have to be declared. */
export interface Unasked {
  /** A rule can approve its calls, until the model reads text that is not trusted. */
  readonly rule: boolean;
  /** Users are offered not to be asked again. */
  readonly choice: boolean;
  /** What to declare so that both hold for longer, such as `trusted: true on add_note`. Empty where nothing helps, or nothing is missing. */
  readonly declare: readonly string[];
}

interface Configured {
  readonly settings: HelperSettings;
  readonly tools: Pick<ComposedTools, 'autoApproval' | 'toolbox'>;
  readonly providers: readonly Pick<ToolProvider, 'knowledgeSources'>[];
}

/** Documented in `docs/reference/warnings.md`. */
export const unaskedCode = 'HLP1009';

/** Most names in one list of the warning. */
const mostNames = 5;

/**
 * What a rule, or "do not ask again", can do for an action that asks (contract/provenance.md#enforcement). Null where the configuration has
 * nothing that answers in place of users.
 */
export function unaskedOf(
  tool: Tool,
  agent: string | null,
  { settings, tools }: Pick<Configured, 'settings' | 'tools'>,
): Unasked | null {
  if (tools.autoApproval?.offersRemember !== true) return null;
  const { enforce } = settings.provenance;
  const isTrusted = tool.trusted === true;
  const isOwn = tool.source === 'action' || tool.source === 'tool' || (tool.source === 'mcp' && isTrusted);
  const canBe = agent === null && tool.destructive !== true && (isOwn || tool.source === 'mcp');
  const isRead = enforce && serversAlwaysRead(settings).length > 0;
  const isMissing = !isTrusted && (enforce || tool.source === 'mcp');
  return {
    rule: canBe && isOwn && !isRead,
    choice: canBe && tool.source === 'action' && (isTrusted || !enforce) && !isRead,
    declare: canBe && isMissing ? [`trusted: true on ${tool.name}`] : [],
  };
}

/**
 * The warning that users are asked in spite of rules, because the model reads text of others: what it reads with every message, what it may
 * read beside, and what to declare (contract/provenance.md#enforcement).
 */
export function unaskedWarnings(
  configured: Configured,
): readonly { readonly code: typeof unaskedCode; readonly message: string }[] {
  const { settings, tools } = configured;
  const { provenance, requireConfirmation } = settings;
  if (tools.autoApproval?.offersRemember !== true || !provenance.enforce || !requireConfirmation) return [];
  const always = alwaysRead(settings);
  const declare = toDeclare(configured);
  if (always.length === 0 && declare.length === 0) return [];
  const sentences = [
    'autoApprovalRules and "do not ask again" approve only while the model has read its user, you and what is trusted: provenance.enforce.',
    ...always,
    ...(declare.length === 0
      ? []
      : [`Where nobody else can write into it, declare trusted: true on ${declare.join(' and on ')}.`]),
    'helper check lists what can be approved, action by action. With provenance: { enforce: false } all text counts as trusted.',
  ];
  return [{ code: unaskedCode, message: sentences.join(' ') }];
}

/** What the model reads with every message, a sentence each. */
function alwaysRead(settings: HelperSettings): readonly string[] {
  const servers = serversAlwaysRead(settings);
  return [
    ...(servers.length === 0
      ? []
      : [`With every message it reads what ${servers.join(', ')} say of their tools, so they approve nothing here.`]),
    ...(settings.server.channels.includes('hub')
      ? [
          'The widget sends the title and the address of its page with every message, unless the page sets pageName: "".',
        ]
      : []),
  ];
}

/** The actions and sources whose texts end the approvals of a conversation once they are read. */
function toDeclare({ settings, tools, providers }: Configured): readonly string[] {
  const actions = tools.toolbox.current.tools.filter(
    ({ source, trusted }) => (source === 'action' || source === 'tool') && trusted !== true,
  );
  const ofPlugins = providers.flatMap((provider): readonly KnowledgeSource[] => provider.knowledgeSources?.() ?? []);
  const sources = [
    ...settings.ragSources.filter(({ trusted }) => !trusted).map(({ name }) => `ragSources.${name}`),
    ...ofPlugins.filter(({ isTrusted }) => !isTrusted).map(({ name }) => name),
  ];
  return [
    ...(actions.length === 0 ? [] : [`the actions ${listed(actions.map(({ name }) => name))}`]),
    ...(sources.length === 0 || !settings.useRag ? [] : [`the sources ${listed(sources)}`]),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
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
