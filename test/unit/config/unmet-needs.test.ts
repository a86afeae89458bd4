import { describe, expect, it } from 'vitest';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import {
  childSchema,
  choicesOf,
  type Condition,
  keysOf,
  type SettingSchema,
  typesOf,
} from '../../../src/config/schema/setting-schema.ts';
import { unmetNeeds } from '../../../src/config/unmet-needs.ts';
import { tokenSecret } from '../../support/tokens.ts';
import { settingsWith } from './load-from-text.ts';

/** What is said of the minimal configuration with further lines. */
function told(lines: string, provided: readonly string[] = []): readonly string[] {
  return unmetNeeds(settingsWith(lines), new Set(provided)).map(({ message }) => message);
}

const jwt = `auth: { jwt: { secret: "${tokenSecret}" } }\n`;

describe('settings without effect (contract/configuration.md#commands)', () => {
  // proves configuration-10-01
  it.each<[string, string]>([
    // proves service-2.17-06
    [
      'hostedToolOptions: { CodeInterpreter: {} }',
      'hostedToolOptions.CodeInterpreter has no effect: add CodeInterpreter to hostedTools, or take it out.',
    ],
    [
      'hostedToolDomainScope: [a.example]',
      'hostedToolDomainScope has no effect: add WebSearch to hostedTools, or take it out.',
    ],
    // proves service-2.9-37
    [
      'compactionTokenThreshold: 2000',
      'compactionTokenThreshold has no effect: set enableCompaction: true, or take it out.',
    ],
    ['compactionSummary: true', 'compactionSummary has no effect: set enableCompaction: true, or take it out.'],
    ['compactionMaxTurns: 3', 'compactionMaxTurns has no effect: set enableCompaction: true, or take it out.'],
    [
      'enableToolFiltering: false\ntoolFilterMaxTools: 5',
      'toolFilterMaxTools has no effect: take enableToolFiltering: false out, or take it out.',
    ],
    [
      'enableToolFiltering: true\ntoolShare: 0.5',
      'toolShare has no effect: take enableToolFiltering out, or take it out.',
    ],
    ['toolFilterMinScore: 0.5', 'toolFilterMinScore has no effect: set embeddingGenerator, or take it out.'],
    [
      'safetyCheckFailure: Block',
      'safetyCheckFailure has no effect: set enableSafetyCheck: true or enableOutputSafetyCheck: true or inputGuardrail or outputGuardrail, or take it out.',
    ],
    [
      'ragResultCount: 3\nragMinScore: 0',
      'ragResultCount, ragMinScore have no effect: set useRag: true, or take them out.',
    ],
    [
      'memoryContextCount: 3\nmemoryAutoCapture: false',
      'memoryContextCount, memoryAutoCapture have no effect: set useMemoryContext: true, or take them out.',
    ],
    ['rateLimitWindowSecs: 5', 'rateLimitWindowSecs has no effect: set rateLimitPerUser, or take it out.'],
    [
      'voiceHandsFree: true\nenableVoiceInput: true',
      'voiceHandsFree has no effect: set enableVoiceOutput: true or client.enableVoiceOutput: true, or take it out.',
    ],
    ['maxImageBytes: 5000', 'maxImageBytes has no effect: set enableImageInput: true, or take it out.'],
    ['maxFilesPerMessage: 2', 'maxFilesPerMessage has no effect: set enableFileInput: true, or take it out.'],
    ['mcpServerPath: /tools', 'mcpServerPath has no effect: set mcpServerEnabled: true, or take it out.'],
    [
      'mcpServerEnabled: true\nmcpCallerPrincipal: fromToken',
      'mcpCallerPrincipal has no effect: set auth.jwt, or take it out.',
    ],
    [
      'a2aServerPath: /agent\nagentCard: { version: "2" }',
      'a2aServerPath, agentCard.version have no effect: set a2aServerEnabled: true, or take them out.',
    ],
    // proves configuration-1-45
    [
      'enableA2AGroundingCheck: true',
      'enableA2AGroundingCheck has no effect: set a2aServerEnabled: true, or take it out.',
    ],
    [
      'declarative: { searchPattern: "*.yaml" }',
      'declarative.searchPattern has no effect: set declarative.directory, or take it out.',
    ],
    [
      'client: { hasRemoteAgents: true }',
      'client.hasRemoteAgents has no effect: set client.showA2AStatus: true, or take it out.',
    ],
    [
      'client: { enableImageInput: true }',
      'client.enableImageInput has no effect: set enableImageInput: true, or take it out.',
    ],
    // proves configuration-8-21
    [
      'client: { enableFileInput: true }',
      'client.enableFileInput has no effect: set enableFileInput: true, or take it out.',
    ],
    [
      'telemetry: { otlpEndpoint: "http://otel:4318" }',
      'telemetry.otlpEndpoint has no effect: set enableObservability: true, or take it out.',
    ],
    ['autoApprovalRules: [{ tool: x }]', 'autoApprovalRules has no effect: set hitlMode: Native, or take it out.'],
    // proves configuration-2-46
    [
      'requireConfirmation: false\nrequireActionForChangeRequests: true',
      'requireActionForChangeRequests has no effect: set requireConfirmation: true, or take it out.',
    ],
    ['chatHistoryProvider: storage', 'chatHistoryProvider has no effect: set auth.jwt, or take it out.'],
    [
      'routingClassifierClient: demo',
      'routingClassifierClient has no effect: set routingStrategy: Classifier or Cascade, or take it out.',
    ],
    ['skillSources: [.]', 'skillSources has no effect: set enableSkills: true, or take it out.'],
    ['modelPricingCurrency: EUR', 'modelPricingCurrency has no effect: set modelPricing, or take it out.'],
    [
      'storage: { maxConnections: 3 }',
      'storage.maxConnections has no effect: set storage.type: postgres, or take it out.',
    ],
    [
      'server: { channels: [sse], hubPath: /hub }',
      'server.hubPath has no effect: add hub to server.channels, or take it out.',
    ],
    [
      'endpoints: { openai: { requireAuthorization: false } }',
      'endpoints.openai.requireAuthorization has no effect: set endpoints.openai.enabled: true, or take it out.',
    ],
  ])('are warned of with what to change: %s', (lines, message) => {
    expect(told(`${lines}\n`)).toEqual([message]);
  });

  // proves service-2.9-52
  it('are those of what the provider of the model keeps, too', () => {
    const model = { provider: 'openai', model: 'gpt', apiKey: 'none', api: 'responses' };
    const environment = { HELPER__MODELS: JSON.stringify({ demo: model }) };
    const lines = `useServiceManagedHistory: true\nenableCompaction: true\nchatHistoryProvider: storage\n${jwt}`;
    expect(unmetNeeds(settingsWith(lines, { environment })).map(({ message }) => message)).toEqual([
      'chatHistoryProvider, enableCompaction have no effect: take useServiceManagedHistory: true out, or take them out.',
    ]);
  });

  // proves configuration-10-01
  it.each([
    ['nothing that is set', ''],
    ['a value that is the default', 'ragResultCount: 5\nsafetyCheckTimeout: 15s\nskillsFolder: Skills\n'],
    ['what is needed', 'useRag: true\nragResultCount: 3\n'],
    ['one of several that suffice', 'refuseOutOfScope: true\nsafetyCheckTimeout: 3s\n'],
    [
      'a switch of the top level that client leaves alone',
      'showA2AStatus: true\nremoteAgents: [{ name: A, description: d, agentCardUrl: "http://a.example" }]\nclient: { hasRemoteAgents: true }\n',
    ],
    ['tools that choose themselves', 'toolFilterMaxTools: 5\ntoolShare: 0.5\n'],
    [
      'one voice of the page and one of the server',
      'voiceHandsFree: true\nenableVoiceInput: true\nclient: { enableVoiceOutput: true }\n',
    ],
  ])('are none with %s', (_name, lines) => {
    expect(told(lines)).toEqual([]);
  });

  // proves configuration-10-02
  it('are none where a plugin, a callback or an agent brings what is needed', () => {
    expect(told('safetyCheckFailure: Block\n', ['inputGuardrail'])).toEqual([]);
    expect(told('showMcpStatus: true\n', ['mcpServers'])).toEqual([]);
  });

  it('need real settings, and values that these can have', () => {
    const conditions = conditionsBelow(helperSchema);
    expect(conditions.length).toBeGreaterThan(80);
    for (const { setting, is, not } of conditions) {
      const needed = setting.split('.').reduce<SettingSchema>((at, key) => childSchema(at, key) ?? {}, helperSchema);
      expect({ setting, known: typesOf(needed).length > 0 || needed.enum !== undefined }).toEqual({
        setting,
        known: true,
      });
      const choices = [...choicesOf(needed), ...choicesOf(needed.items ?? {})];
      for (const value of [is, not].filter((one) => typeof one === 'string')) expect(choices).toContain(value);
    }
  });
});

function conditionsBelow(schema: SettingSchema): readonly Condition[] {
  return [
    ...(schema.needs ?? []).flat(),
    ...keysOf(schema).flatMap((key) => conditionsBelow(childSchema(schema, key) ?? {})),
  ];
}
