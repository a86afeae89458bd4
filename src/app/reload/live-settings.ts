import { isDeepStrictEqual } from 'node:util';
import type { HelperSettings } from '../../config/settings.ts';
import { renewedSecrets, withSecretsOf } from './live-secrets.ts';

/** The settings that a reload changes for new turns. All other settings belong to something that is already open, and need a restart. */
const liveKeys = [
  ...(['appDescription', 'language', 'isLanguageChosen', 'helperLevel', 'enableRichResponses'] as const),
  ...(['chatClient', 'agent', 'classifierChatClient', 'models', 'pages'] as const),
  ...([
    'maxMessageLength',
    'rateLimitPerUser',
    'rateLimitWindowSecs',
    'maxToolRounds',
    'loopGuard',
    'maxSessionMessages',
  ] as const),
  ...(['enableCompaction', 'compactionTokenThreshold', 'compactionMaxTurns', 'compactionSummary'] as const),
  ...(['requireConfirmation', 'requireConfirmationForWrites', 'requiresApproval', 'isReadOnlyAction'] as const),
  ...(['autoApprovalRules', 'maxAutoApprovalIterations', 'confirmationTimeout', 'killSwitch', 'provenance'] as const),
  ...(['onToolResult', 'onException', 'enableActionFeedback', 'enableGenerativeCards'] as const),
  ...([
    'useRag',
    'ragResultCount',
    'ragMinScore',
    'ragSystemPromptTemplate',
    'showRagSources',
    'showRagExcerpts',
  ] as const),
  ...(['ragQueryRewrite', 'embeddingGenerator'] as const),
  ...(['requireLookupForRecordQuestions', 'requireActionForChangeRequests'] as const),
  ...(['enableSafetyCheck', 'enableOutputSafetyCheck', 'inputGuardrail', 'outputGuardrail'] as const),
  ...(['safetyCheckTimeout', 'safetyCheckFailure', 'refuseOutOfScope'] as const),
  ...(['useMemoryContext', 'memoryContextCount', 'memoryRelevanceFiltering', 'memoryAutoCapture'] as const),
  ...(['enableSkills', 'skillsFolder', 'skillSources', 'skillFilter', 'skillsRefreshInterval'] as const),
  ...(['enableToolFiltering', 'toolFilterMaxTools', 'toolFilterMinScore', 'toolShare'] as const),
  ...(['hostedTools', 'hostedToolOptions', 'hostedMcpServers', 'showHostedToolsStatus'] as const),
  ...(['enableHostedToolActivity', 'hostedToolDomainScope', 'hostedToolDomainCheck'] as const),
  ...(['declarative', 'remoteAgents', 'mcpServers', 'agentVariables', 'includeWorkflowExceptionDetails'] as const),
  ...(['modelPricing', 'modelPricingCurrency', 'budgets'] as const),
  ...(['strongChatClient', 'routingStrategy', 'useStrongModel', 'routingComplexExemplars'] as const),
  ...(['routingThreshold', 'routingClassifierClient'] as const),
] satisfies readonly (keyof HelperSettings)[];

/** Keys about the configuration itself. */
const derivedKeys: readonly string[] = [
  'configFile',
  'configuration',
  'fileWarnings',
  'isLanguageChosen',
  'secretFiles',
  'agentVariables',
];

/** What a changed configuration means for a server that runs. */
export interface SettingsChange {
  /** The settings to go on with: the changed value of each key that a reload can change, else the value of the start. */
  readonly settings: HelperSettings;
  /** Top-level keys that the reload changes, and the full paths of changed secrets. */
  readonly taken: readonly string[];
  /** Top-level keys whose change waits for a restart. */
  readonly left: readonly string[];
}

/** Compares the settings that serve with those of the changed file. */
export function changeOf(serving: HelperSettings, changed: HelperSettings): SettingsChange {
  // A key without a default exists in only one of the two when it was added or removed.
  const keys = Object.keys({ ...serving, ...changed }) as (keyof HelperSettings)[]; // they are settings
  const differing = keys.filter((key) => !isDeepStrictEqual(serving[key], changed[key]));
  const isLive = (key: keyof HelperSettings): boolean => liveKeys.some((live) => live === key);
  const live = Object.fromEntries(liveKeys.map((key) => [key, changed[key]]));
  const secrets = withSecretsOf(changed, serving);
  const { configuration, secretFiles } = changed;
  const { keys: dataKeys, keyFile } = changed.dataProtection;
  const dataProtection = { ...serving.dataProtection, keys: dataKeys, keyFile };
  const settings = { ...serving, ...live, ...secrets, dataProtection, configuration, secretFiles };
  const isLeft = (key: keyof HelperSettings): boolean => !isDeepStrictEqual(settings[key], changed[key]);
  return {
    settings,
    taken: [
      ...differing.filter((key) => isLive(key) && !derivedKeys.includes(key)),
      ...renewedSecrets(serving, secrets),
      ...variablesOf(serving, changed),
    ],
    left: differing.filter((key) => !isLive(key) && !derivedKeys.includes(key) && isLeft(key)),
  };
}

/** The key of the section with the values for definitions, when a value in it differs. */
function variablesOf(serving: HelperSettings, changed: HelperSettings): readonly string[] {
  const { configurationSection } = changed.declarative;
  if (configurationSection === null || isDeepStrictEqual(serving.agentVariables, changed.agentVariables)) return [];
  return [configurationSection];
}
