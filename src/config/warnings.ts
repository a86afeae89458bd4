import { isWrittenByUsers } from './claims-of-users.ts';
import { mcpCorsName } from './cors-policies.ts';
import { chatApi, hasHostedTools, wantsHosted } from './hosted-tools.ts';
import { a2aOpen, chatOpen, isAuthorised, isDemoModel, programsOpen } from './paid-turns.ts';
import { formatPath } from './located-value.ts';
import type { HelperSettings } from './settings.ts';
import type { Environment } from './substitute.ts';
import { entryClaims, tokenIssuers } from './token-issuers.ts';

/** Something worth knowing that keeps nothing from starting (contract/configuration.md#commands). Codes never change their meaning. */
export interface ConfigurationWarning {
  readonly code: string;
  readonly message: string;
}

/** Codes of this file, in the order in which they are reported. Documented in `docs/reference/warnings.md`. */
export const configurationWarningCodes = {
  historyNeverTrimmed: 'HLP1001',
  demoPageServed: 'HLP1002',
  metricsOpen: 'HLP1003',
  chatOpen: 'HLP1004',
  noPublicUrl: 'HLP1005',
  questionsEnd: 'HLP1007',
  aiUndisclosed: 'HLP1008',
  snapshotsEnd: 'HLP1010',
  imagesUnseen: 'HLP1011',
  dashboardOpen: 'HLP1016',
  contentInTelemetry: 'HLP1018',
  tokensForAnyone: 'HLP1021',
  issuerWithoutTls: 'HLP1022',
  rolesOfOnesOwn: 'HLP1025',
  keysInFolder: 'HLP1024',
  memoryOpen: 'HLP1050',
  hostedToolsOff: 'HLP1120',
  truthUnchecked: 'HLP1091',
  warmUpUnused: 'HLP1141',
  mcpOpensAll: 'HLP1191',
  corsUnused: 'HLP1192',
  strangersUncounted: 'HLP1193',
  groundingUnchecked: 'HLP1200',
  a2aAsksNobody: 'HLP1201',
  a2aOpen: 'HLP1202',
  programsOpen: 'HLP1210',
} as const;

type WarningName = keyof typeof configurationWarningCodes;

type Warn = (settings: HelperSettings, environment: Environment) => string | undefined;

const warnings: Readonly<Record<WarningName, Warn>> = {
  historyNeverTrimmed: ({ maxSessionMessages, useServiceManagedHistory }) =>
    maxSessionMessages > 0 || useServiceManagedHistory
      ? undefined
      : `maxSessionMessages is ${String(maxSessionMessages)}: conversations are never trimmed, so long ones cost more with every message and end at the model's limit.`,

  demoPageServed: (settings, environment) => {
    if (!settings.demoPage) return undefined;
    const production = environment['NODE_ENV'] === 'production';
    if (!production && isDemoModel(settings)) return undefined;
    const answers = settings.chatClient === undefined ? 'an agent answers' : `the model is ${settings.chatClient}`;
    const because = production ? 'NODE_ENV is production' : `${answers}, not the demo model`;
    return `demoPage is on although ${because}: anyone who finds / can chat there. Set demoPage: false when you do not need it.`;
  },

  metricsOpen: ({ endpoints: { metrics }, server, tenancy }) => {
    const host = metrics.port === null ? server.host : (metrics.host ?? server.host);
    if (metrics.token !== null || isLoopback(host)) return undefined;
    const names = tenancy.claim === null ? '' : ', and tells the names of your tenants';
    return `${metrics.path} is open to anyone who can reach ${host}${names}: set endpoints.metrics.token, or give it a port of its own.`;
  },

  chatOpen,

  noPublicUrl: ({ server }) =>
    isLoopback(server.host) || server.publicUrl !== ''
      ? undefined
      : `server.host is ${server.host} but server.publicUrl is empty: requests are refused unless they ask for localhost, an address or one of server.hosts, and behind a proxy those of your own pages may be taken for those of another website.`,

  questionsEnd: ({ hitlMode, server, storage }) => {
    if (storage.type !== 'memory') return undefined;
    if (server.durableTurns)
      return 'server.durableTurns is true, but storage.type is memory: turns that run at a crash are lost. Use embedded storage to keep them.';
    return hitlMode === 'Native'
      ? 'hitlMode is Native, but storage.type is memory: questions that are open at a restart are lost. Use embedded storage to keep them.'
      : undefined;
  },

  aiUndisclosed: ({ aiDisclosure }) =>
    aiDisclosure
      ? undefined
      : 'aiDisclosure is false: the widget does not say that an AI answers. Say so in your own pages; the EU AI Act (article 50) and other laws ask for it.',

  snapshotsEnd: ({ dataProtection: { keys, keyFile }, server, storage }) =>
    keys.length > 0 || keyFile !== null || storage.type !== 'memory' || !server.channels.includes('hub')
      ? undefined
      : 'storage.type is memory: the key of saved conversations is made for this process alone, so none can be restored after a restart. Set dataProtection.keys to keep them.',

  keysInFolder: ({ dataProtection: { keys, keyFile }, storage }) =>
    keys.length > 0 || keyFile !== null || storage.type !== 'postgres'
      ? undefined
      : 'storage.type is postgres, but dataProtection names no key: one is made and kept in storage.path, and without that folder nobody can open what the database keeps. Set dataProtection.keys.',

  imagesUnseen: (settings) =>
    settings.enableImageInput && isDemoModel(settings)
      ? 'enableImageInput is on, but the demo model cannot see images: it says so to whoever sends one. Name a model that sees as chatClient.'
      : undefined,

  dashboardOpen: ({ dashboardRole, server }) =>
    dashboardRole !== '' || isLoopback(server.host)
      ? undefined
      : `dashboardRole is empty: anyone who can reach ${server.host} sees the figures of the dashboard. Name a role.`,

  contentInTelemetry: ({ enableObservability, observabilityIncludeSensitiveData }) =>
    observabilityIncludeSensitiveData
      ? `observabilityIncludeSensitiveData is on: ${enableObservability ? 'what users and the assistant say goes to telemetry.otlpEndpoint, and ' : ''}the log has the words with which models refuse calls, which may repeat what users said. It is meant for development.`
      : undefined,

  tokensForAnyone: (settings) => {
    const open = tokenIssuers(settings).filter(
      ({ secret, audiences, clients }) => secret === null && audiences.length === 0 && clients.length === 0,
    );
    const names = [...new Set(open.map(({ path }) => formatPath([...path, 'audience'])))].join(' and ');
    return names === ''
      ? undefined
      : `${names} is not set: a token that the issuer made for any other application signs its user in here too. Set it, or clients.`;
  },

  issuerWithoutTls: (settings) => {
    const addresses = tokenIssuers(settings).map(({ discovery, jwksUrl }) => jwksUrl ?? discovery ?? '');
    const address = addresses.find((one) => /^http:/i.test(one) && !isLoopback(new URL(one).hostname));
    if (address === undefined) return undefined;
    return `the keys of tokens are read from ${address} without TLS: whoever sits in between can sign anybody in.`;
  },

  rolesOfOnesOwn: (settings) => {
    const { auth, tenancy } = settings;
    const roles = entryClaims(settings).flatMap(({ roleClaims }) => roleClaims);
    const added = auth.claimsTransformation.addRoles.map(({ claim }) => claim);
    const own = [...roles, ...added, tenancy.claim ?? ''].find(isWrittenByUsers);
    if (own === undefined) return undefined;
    const takes = own.includes('*') ? ', where * also stands for user_metadata or unsafe_metadata,' : '';
    return `${own}${takes} gives roles or the tenant, but users write that themselves: anybody can be anything. Use what only your back end writes, such as app_metadata.`;
  },

  memoryOpen: (settings) => {
    const { useMemoryContext, anonymousIdentity, server } = settings;
    if (!useMemoryContext || isDemoModel(settings) || isAuthorised(settings) || server.channels.length === 0)
      return undefined;
    const shared =
      anonymousIdentity === 'Shared' ? 'one memory that all of them share' : 'a memory of its own for each connection';
    return `useMemoryContext is on, and the chat is open to anyone who can reach ${server.host}: whoever is not signed in has ${shared}. Set endpoints.transports.requireAuthorization to remember users alone.`;
  },

  hostedToolsOff: (settings) => {
    if (!wantsHosted(settings) || hasHostedTools(settings)) return undefined;
    const { hostedTools, hostedMcpServers, chatClient } = settings;
    const names = [...hostedTools, ...hostedMcpServers.map(({ name }) => name)].join(', ');
    return `the hosted tools ${names} stay off: ${String(chatClient)} has none. They need a chatClient of openai or azure, without api: chat.`;
  },

  truthUnchecked: ({ requireActionForChangeRequests, requireLookupForRecordQuestions, ...settings }) => {
    const { models, chatClient = '', classifierChatClient = chatClient } = settings;
    const isDemo = models[classifierChatClient]?.provider === 'demo';
    return isDemo && (requireActionForChangeRequests || requireLookupForRecordQuestions)
      ? 'requireActionForChangeRequests and requireLookupForRecordQuestions have no effect: the demo model cannot tell what a message asks for, nor whether a reply is true. Name another model as classifierChatClient.'
      : undefined;
  },

  warmUpUnused: ({ warmUpAtStartup, useMemoryContext, ...settings }) => {
    const { models, chatClient = '' } = settings;
    const { provider } = models[chatClient] ?? {};
    const opens = (provider === 'openai' || provider === 'azure') && chatApi(settings) === 'chat';
    return !warmUpAtStartup || opens || useMemoryContext
      ? undefined
      : `warmUpAtStartup has no effect: ${chatClient === '' ? 'the agent' : chatClient} opens its connections with its first call. It serves entries of openai and azure with api: chat.`;
  },

  mcpOpensAll: ({ mcpServerEnabled, requireConfirmation, server, endpoints, mcpServerPath }) =>
    mcpServerEnabled && !requireConfirmation
      ? `requireConfirmation is false, so ${server.basePath}${endpoints.mcp?.path ?? mcpServerPath} publishes every action, those that change something too, and runs them without asking anybody.`
      : undefined,

  groundingUnchecked: ({ enableA2AGroundingCheck, a2aServerEnabled, ...settings }) => {
    if (!enableA2AGroundingCheck || !a2aServerEnabled) return undefined;
    const { models, chatClient = '', classifierChatClient = chatClient } = settings;
    return models[classifierChatClient]?.provider === 'demo'
      ? 'enableA2AGroundingCheck has no effect: the demo model cannot tell what supports a reply. Name another model as classifierChatClient.'
      : undefined;
  },

  a2aAsksNobody: ({ a2aServerEnabled, a2aServerPath, requireConfirmation, server }) =>
    a2aServerEnabled && !requireConfirmation
      ? `requireConfirmation is false, so other agents may have every action run at ${server.basePath}${a2aServerPath}, those that change something too, without asking anybody.`
      : undefined,

  a2aOpen,

  programsOpen,

  strangersUncounted: (settings) => {
    const { rateLimitPerUser, budgets, anonymousIdentity, server } = settings;
    const { rateLimit } = settings.endpoints.transports;
    if (server.channels.length === 0 || isAuthorised(settings) || anonymousIdentity === 'Shared') return undefined;
    const ofUsers = budgets.some(({ per, role }) => per === 'user' && role === undefined);
    const idle = [
      ...(rateLimitPerUser > 0 && rateLimit === null ? ['rateLimitPerUser'] : []),
      ...(ofUsers && !budgets.some(({ per }) => per === 'day') ? ['budgets of per: user'] : []),
    ];
    if (idle.length === 0) return undefined;
    return `whoever is not signed in is a new user with each connection, so ${idle.join(' and ')} ${idle[0] === 'rateLimitPerUser' && idle.length === 1 ? 'does' : 'do'} not hold strangers back: set endpoints.transports.rateLimit and a budget of per: day, which count them all the same, or endpoints.transports.requireAuthorization.`;
  },

  corsUnused: (settings) => {
    const unused = Object.keys(settings.cors).filter((name) => name !== 'default' && name !== mcpCorsName(settings));
    if (unused.length === 0) return undefined;
    return `no endpoint names ${unused.map((name) => `cors.${name}`).join(', ')}: name a policy in endpoints.mcp.cors, or list the origins in cors.default.`;
  },
};

/** The warnings about the settings and about the file that holds them (contract/configuration.md#commands, contract/operations.md#logs). */
export function configurationWarnings(
  settings: HelperSettings,
  environment: Environment,
): readonly ConfigurationWarning[] {
  // The codes are written down as a record of the same names, which keeps its order.
  const names = Object.keys(configurationWarningCodes) as WarningName[];
  const ofSettings = names.flatMap((name): readonly ConfigurationWarning[] => {
    const message = warnings[name](settings, environment);
    return message === undefined ? [] : [{ code: configurationWarningCodes[name], message }];
  });
  return [...ofSettings, ...settings.fileWarnings];
}

/** Whether only this machine reaches an address: `localhost`, `127.0.0.0/8`, `::1`. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
