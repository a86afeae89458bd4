import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { a2aServerSection } from './schema/a2a-server.schema.ts';
import type { actionsSection } from './schema/actions.schema.ts';
import type { agentsSection } from './schema/agents.schema.ts';
import type { authSection } from './schema/auth.schema.ts';
import type { budgetsSection } from './schema/budgets.schema.ts';
import type { cardsSection } from './schema/cards.schema.ts';
import type { clientSection } from './schema/client.schema.ts';
import type { confirmationSection } from './schema/confirmation.schema.ts';
import type { coreSection } from './schema/core.schema.ts';
import type { corsPolicySchema } from './schema/cors.schema.ts';
import type { dashboardSection } from './schema/dashboard.schema.ts';
import type { dataProtectionSection } from './schema/data-protection.schema.ts';
import type { retentionSection } from './schema/retention.schema.ts';
import type { endpointsSection } from './schema/endpoints.schema.ts';
import type { guardrailsSection } from './schema/guardrails.schema.ts';
import type { historySection } from './schema/history.schema.ts';
import type { hostedSection } from './schema/hosted.schema.ts';
import type { filesSection } from './schema/files.schema.ts';
import type { imagesSection } from './schema/images.schema.ts';
import type { knowledgeSection } from './schema/knowledge.schema.ts';
import type { limitsSection } from './schema/limits.schema.ts';
import type { loggingSection } from './schema/logging.schema.ts';
import type { mcpSection } from './schema/mcp.schema.ts';
import type { mcpServerSection } from './schema/mcp-server.schema.ts';
import type { memorySection } from './schema/memory.schema.ts';
import type { modelSchema, modelsSection } from './schema/models.schema.ts';
import type { networkSection } from './schema/network.schema.ts';
import type { observabilitySection } from './schema/observability.schema.ts';
import type { resultsSection } from './schema/results.schema.ts';
import type { routingSection } from './schema/routing.schema.ts';
import type { scaleOutSection } from './schema/scale-out.schema.ts';
import type { serverSection } from './schema/server.schema.ts';
import type { skillsSection } from './schema/skills.schema.ts';
import type { storageSection } from './schema/storage.schema.ts';
import type { tenancySection } from './schema/tenancy.schema.ts';
import type { toolFilterSection } from './schema/tool-filter.schema.ts';
import type { widgetSection } from './schema/widget.schema.ts';

/** Durations and sizes are texts in YAML, and milliseconds and bytes once loaded. */
type Loading = {
  deserialize: [
    { pattern: { type: 'string'; format: 'duration' }; output: number },
    { pattern: { type: 'string'; format: 'age' }; output: number },
    { pattern: { type: 'string'; format: 'age-or-none' }; output: number | null },
    { pattern: { type: 'string'; format: 'time-limit' }; output: number | null },
    { pattern: { type: 'string'; format: 'size' }; output: number },
  ];
};

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

type SettingsOf<Schema extends JSONSchema> = DeepReadonly<FromSchema<Schema, Loading>>;

/** One entry of `models`; which fields are there depends on the provider (contract/models.md). */
export type ModelSettings = SettingsOf<typeof modelSchema>;

type CoreSettings = SettingsOf<typeof coreSection>;
type ActionsSettings = SettingsOf<typeof actionsSection>;
type ActionSources = Exclude<ActionsSettings['actions'], string>;
type ToolFilterSettings = SettingsOf<typeof toolFilterSection>;
type AgentsSettings = SettingsOf<typeof agentsSection>;
type KnowledgeSettings = SettingsOf<typeof knowledgeSection>;
type GuardrailsSettings = SettingsOf<typeof guardrailsSection>;
type MemorySettings = SettingsOf<typeof memorySection>;
type SkillsSettings = Omit<SettingsOf<typeof skillsSection>, 'skillsRefreshInterval'> & {
  readonly skillsRefreshInterval: number | null;
};
type LimitsSettings = SettingsOf<typeof limitsSection>;
type BudgetsSectionSettings = SettingsOf<typeof budgetsSection>;
type RoutingSettings = SettingsOf<typeof routingSection>;
type HistorySettings = SettingsOf<typeof historySection>;
type HostedSettings = SettingsOf<typeof hostedSection>;
type McpSettings = SettingsOf<typeof mcpSection>;
type A2aServerSettings = SettingsOf<typeof a2aServerSection>;
type McpServerSettings = SettingsOf<typeof mcpServerSection>;
type ImagesSettings = SettingsOf<typeof imagesSection>;
type FilesSettings = SettingsOf<typeof filesSection>;
type ConfirmationSettings = SettingsOf<typeof confirmationSection>;
type ResultsSettings = SettingsOf<typeof resultsSection>;
type WidgetSettings = SettingsOf<typeof widgetSection>;
type CardsSettings = SettingsOf<typeof cardsSection>;
type ClientSectionSettings = SettingsOf<typeof clientSection>;
type ServerSectionSettings = SettingsOf<typeof serverSection>;
type AuthSectionSettings = SettingsOf<typeof authSection>;
/** One entry of `auth.jwt`, as it is written. */
export type TokenIssuerSettings = Exclude<NonNullable<AuthSectionSettings['auth']['jwt']>, readonly unknown[]>;
type TenancySectionSettings = SettingsOf<typeof tenancySection>;
type EndpointsSectionSettings = SettingsOf<typeof endpointsSection>;
type StorageSectionSettings = SettingsOf<typeof storageSection>;
type StorageMembers = StorageSectionSettings['storage'];
/** `storage` (contract/restarts.md). A cross-field rule guarantees that PostgreSQL has its address. */
export type StorageSettings =
  | (StorageMembers & { readonly type: 'embedded' | 'memory' })
  | (StorageMembers & { readonly type: 'postgres'; readonly url: string });
type ScaleOutSectionSettings = SettingsOf<typeof scaleOutSection>;
/** `scaleOut` (contract/replicas.md#settings). Cross-field rules guarantee that Redis has one kind of address. */
export type ScaleOutSettings = ScaleOutSectionSettings['scaleOut'];
type DataProtectionSectionSettings = SettingsOf<typeof dataProtectionSection>;
type RetentionSectionSettings = SettingsOf<typeof retentionSection>;
type LoggingSectionSettings = SettingsOf<typeof loggingSection>;
type DashboardSectionSettings = SettingsOf<typeof dashboardSection>;
type NetworkSectionSettings = SettingsOf<typeof networkSection>;
type ObservabilitySettings = SettingsOf<typeof observabilitySection>;

/** `agent` (contract/agents.md#an-agent-that-answers). A cross-field rule guarantees that it has one of these forms. */
export type AnsweringAgentSettings =
  | { readonly a2a: string; readonly headers: Readonly<Record<string, string>>; readonly plugin?: never }
  | { readonly plugin: string; readonly headers: Readonly<Record<string, string>>; readonly a2a?: never };

/** `server` (contract/configuration.md). */
export type ServerSettings = ServerSectionSettings['server'];
/** `server.tls` where it is set. */
export type TlsSettings = NonNullable<ServerSettings['tls']>;

/** One policy of `cors` (contract/doors.md). */
export type CorsSettings = SettingsOf<typeof corsPolicySchema>;
/** `cors`. A schema type cannot say that the named policies are like the default one. */
interface CorsSectionSettings {
  readonly cors: Readonly<Record<string, CorsSettings>> & { readonly default: CorsSettings };
}
/** One entry of `budgets` (contract/limits.md#budgets). A cross-field rule guarantees that it counts either tokens or cost. */
export type BudgetSettings = BudgetsSectionSettings['budgets'][number];
/** One entry of `onToolResult` (contract/errors.md#faults-of-actions). A cross-field rule guarantees that it either removes or replaces. */
export type ToolResultRule =
  | { readonly tool: string; readonly remove: readonly string[] }
  | { readonly tool: string; readonly replace: readonly { readonly pattern: string; readonly with: string }[] };

type RagSourceMembers = KnowledgeSettings['ragSources'][number];
/** One entry of `ragSources` (contract/knowledge.md#sources). A cross-field rule sees to it that it has what its type needs. */
export type RagSourceSettings =
  | (RagSourceMembers & { readonly type: 'http'; readonly url: string; readonly secret: string | readonly string[] })
  | (RagSourceMembers & { readonly type: 'files'; readonly path: string });

/**
 * The whole configuration, checked and deeply frozen (contract/configuration.md). Durations are milliseconds, sizes are bytes,
 * paths are absolute, enum values are spelled as in contract/configuration.md.
 */
export interface HelperSettings
  extends
    CoreSettings,
    Omit<ActionsSettings, 'actions'>,
    Omit<KnowledgeSettings, 'ragSources'>,
    MemorySettings,
    SkillsSettings,
    GuardrailsSettings,
    ToolFilterSettings,
    AgentsSettings,
    LimitsSettings,
    BudgetsSectionSettings,
    RoutingSettings,
    HistorySettings,
    HostedSettings,
    McpSettings,
    McpServerSettings,
    A2aServerSettings,
    ImagesSettings,
    FilesSettings,
    ConfirmationSettings,
    Omit<ResultsSettings, 'onToolResult'>,
    WidgetSettings,
    CardsSettings,
    ClientSectionSettings,
    ServerSectionSettings,
    AuthSectionSettings,
    TenancySectionSettings,
    EndpointsSectionSettings,
    CorsSectionSettings,
    Omit<StorageSectionSettings, 'storage'>,
    ScaleOutSectionSettings,
    DataProtectionSectionSettings,
    RetentionSectionSettings,
    LoggingSectionSettings,
    DashboardSectionSettings,
    NetworkSectionSettings,
    ObservabilitySettings {
  /** Absolute path of the YAML file, for messages. */
  readonly configFile: string;
  /** Tells this configuration from another; shown on `/readyz` and in the log. */
  readonly configuration: string;
  /** Whether `language` was set. The default applies to replies only: the page then chooses the language of the widget's texts. */
  readonly isLanguageChosen: boolean;
  /** The warnings from reading the file. */
  readonly fileWarnings: readonly { readonly code: string; readonly message: string }[];
  /** Absolute paths of the files that `${file:…}` names. */
  readonly secretFiles: readonly string[];
  /** What definitions of agents reach as `=Env.NAME`: the section that `declarative.configurationSection` names. */
  readonly agentVariables: Readonly<Record<string, string>>;
  readonly actions: 'none' | ActionSources;
  readonly storage: StorageSettings;
  /** Name of the entry of `models` that answers; it exists. Undefined: `agent` answers. */
  readonly chatClient: SettingsOf<typeof modelsSection>['chatClient'];
  /** The agent that answers in place of `chatClient`; null: none does. A cross-field rule guarantees that exactly one of the two is set. */
  readonly agent: AnsweringAgentSettings | null;
  /** Name of the entry of `models` that is asked small questions; it exists. Undefined: that of `chatClient`. */
  readonly classifierChatClient: SettingsOf<typeof modelsSection>['classifierChatClient'];
  /** Name of the entry of `models` that gives texts their vectors; it exists, with `kind: embeddings`. */
  readonly embeddingGenerator: SettingsOf<typeof modelsSection>['embeddingGenerator'];
  /** Whether a connection to the host of `chatClient` is opened when the server starts. */
  readonly warmUpAtStartup: SettingsOf<typeof modelsSection>['warmUpAtStartup'];
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly onToolResult: readonly ToolResultRule[];
  readonly ragSources: readonly RagSourceSettings[];
}
