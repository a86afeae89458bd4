import type { HelperSettings } from './settings.ts';

/** The warning that anyone may have paid turns run in the chat (contract/operations.md#logs). Undefined where there is nothing to warn of. */
export function chatOpen(settings: HelperSettings): string | undefined {
  const { channels, hubPath, ssePath } = settings.server;
  if (isDemoModel(settings) || isAuthorised(settings)) return undefined;
  const paths = [...(channels.includes('hub') ? [hubPath] : []), ...(channels.includes('sse') ? [ssePath] : [])];
  return openTo(settings, paths, ['transports']);
}

/** As `chatOpen`, of other agents (contract/a2a-server.md#who-may-ask). */
export function a2aOpen(settings: HelperSettings): string | undefined {
  const { a2aServerEnabled, a2aServerPath, endpoints } = settings;
  const { requireAuthorization = false, roles = [] } = endpoints.a2a ?? {};
  if (!a2aServerEnabled || requireAuthorization || roles.length > 0 || isDemoModel(settings)) return undefined;
  return openTo(settings, [a2aServerPath], ['a2a']);
}

/** As `chatOpen`, of clients of OpenAI and of AG-UI (contract/openai.md#who-may-ask, contract/ag-ui.md#who-may-ask). */
export function programsOpen(settings: HelperSettings): string | undefined {
  if (isDemoModel(settings)) return undefined;
  const { openai, agui } = settings.endpoints;
  const open = [
    { name: 'openai', path: '/v1', ...openai },
    { name: 'agui', path: '/agui', ...agui },
  ].filter(({ enabled, requireAuthorization, roles }) => enabled && !requireAuthorization && roles.length === 0);
  return openTo(
    settings,
    open.map(({ path }) => path),
    open.map(({ name }) => name),
  );
}

/** Whether only signed-in users may chat. */
export function isAuthorised({ endpoints: { transports } }: HelperSettings): boolean {
  return transports.requireAuthorization || transports.roles.length > 0;
}

/** Whether the demo model answers, which costs nothing. */
export function isDemoModel({ models, chatClient = '' }: HelperSettings): boolean {
  return models[chatClient]?.provider === 'demo';
}

/** `paths`: below `server.basePath`. `endpoints`: the entries of `endpoints` that would close them. */
function openTo(
  { server }: HelperSettings,
  paths: readonly string[],
  endpoints: readonly string[],
): string | undefined {
  if (paths.length === 0) return undefined;
  const named = paths.map((path) => server.basePath + path).join(' and ');
  const members = endpoints.map((endpoint) => `endpoints.${endpoint}.requireAuthorization`).join(' and ');
  return `${named} ${paths.length === 1 ? 'runs' : 'run'} a paid turn for anyone who can reach ${server.host}: set ${members}, or keep the address to those you mean to serve.`;
}
