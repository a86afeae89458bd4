import type { FastifyRequest } from 'fastify';
import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { readVouchedUser } from '../../channels/shared/read-vouched-user.ts';
import { ValueFault } from '../../channels/shared/read-values.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { linkedSignal } from '../../core/base/linked-signal.ts';
import { untilStopped } from '../../core/base/until-stopped.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import { RefusalLines } from '../../core/limits/refusal-lines.ts';
import type { Authenticator, Caller, VouchedUser } from '../../core/identity/authenticator.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { McpRequest } from '../../plugin-api/mcp-caller.ts';
import type { PluginHooks } from '../../plugin-api/plugin.ts';
import { mcpAsksOnPage } from './confirm-on-page.ts';

/** Milliseconds that the hook may take. A program waits for it with each of its requests. */
const hookTimeoutMs = 5_000;

/** Documented in `docs/reference/warnings.md`. */
const asksNobody = 'HLP1190';

/** Headers that prove something to others: to pages of this server, and to a proxy on the way. */
const headersForOthers: ReadonlySet<string> = new Set(['cookie', 'proxy-authorization']);

/** A plugin that says who calls over MCP. */
interface CallersPlugin {
  readonly name: string;
  readonly hook: NonNullable<PluginHooks['mcpCallerPrincipal']>;
}

type WithHooks = Pick<LoadedPlugin, 'name' | 'hooks'>;

/** The plugin that says who calls over MCP, if there is one. At most one plugin does. */
export function callersPlugin(plugins: readonly WithHooks[]): CallersPlugin | undefined {
  return plugins
    .flatMap(({ name, hooks: { mcpCallerPrincipal: hook } }) => (hook === undefined ? [] : [{ name, hook }]))
    .at(0);
}

/** Whether the user of a request over MCP is its caller. */
export function knowsMcpCallers(
  { mcpCallerPrincipal }: Pick<HelperSettings, 'mcpCallerPrincipal'>,
  plugins: readonly WithHooks[],
): boolean {
  return mcpCallerPrincipal !== null || callersPlugin(plugins) !== undefined;
}

/** @throws StartupFaults when both the tokens and a plugin are to say who calls over MCP. */
export function checkMcpCallers(
  { mcpCallerPrincipal, configFile }: Pick<HelperSettings, 'mcpCallerPrincipal' | 'configFile'>,
  plugins: readonly WithHooks[],
): void {
  const plugin = callersPlugin(plugins);
  if (mcpCallerPrincipal === null || plugin === undefined) return;
  const message = `the plugin ${plugin.name} says who calls over MCP already (hooks.mcpCallerPrincipal); take one of them`;
  throw new StartupFaults([{ file: configFile, path: 'mcpCallerPrincipal', message }]);
}

/** Warns where users over MCP are to be asked, and no caller has a user. */
export function mcpCallerWarnings(
  settings: HelperSettings,
  plugins: readonly WithHooks[],
): readonly { readonly code: string; readonly message: string }[] {
  if (!mcpAsksOnPage(settings) || knowsMcpCallers(settings, plugins)) return [];
  const message =
    'endpoints.mcp.confirmations: page publishes nothing more: without mcpCallerPrincipal: fromToken, or a plugin that says who calls, no caller over MCP has a user who could be asked.';
  return [{ code: asksNobody, message }];
}

/**
 * Asks the plugin who makes a request over MCP. Undefined where no plugin says it. What is made of the hook's answer rejects with HelperError
 * `unauthenticated` unless the plugin names a caller.
 */
export function vouchByPlugin(
  plugins: readonly WithHooks[],
  {
    authenticator,
    log,
  }: { readonly authenticator: Pick<Authenticator, 'vouchedFor'>; readonly log: Pick<Logger, 'error'> },
): ((request: FastifyRequest) => Promise<Caller>) | undefined {
  const plugin = callersPlugin(plugins);
  if (plugin === undefined) return undefined;
  const lines = new RefusalLines(() => performance.now());
  return async (request) => {
    let user: VouchedUser | undefined;
    try {
      user = await answerOf(plugin.hook, request);
    } catch (error) {
      // Nobody reads what a caller who has gone would be told.
      const line = request.raw.socket.destroyed ? undefined : lines.take({ what: 'caller', who: plugin.name });
      const known = { plugin: plugin.name, requestId: request.id };
      if (line !== undefined) log.error({ ...known, ...faultOf(error), ...line }, 'hooks.mcpCallerPrincipal failed');
    }
    if (user === undefined)
      throw new HelperError('unauthenticated', 'Sign in to use this.', { refusal: 'wrong_token' });
    return { principal: await authenticator.vouchedFor(user) };
  };
}

/** @throws what the hook throws; ValueFault for an answer that is no caller; DOMException when the time is over or the caller has gone. */
async function answerOf(hook: CallersPlugin['hook'], request: FastifyRequest): Promise<VouchedUser | undefined> {
  const { socket } = request.raw;
  const gone = new AbortController();
  const onClose = (): void => {
    gone.abort();
  };
  socket.once('close', onClose);
  const limit = linkedSignal(gone.signal, hookTimeoutMs);
  try {
    const answer = await untilStopped((async () => hook(requestForHook(request), limit.signal))(), limit.signal);
    return answer === null || answer === undefined ? undefined : readVouchedUser(answer, 'the caller');
  } finally {
    limit.release();
    socket.off('close', onClose);
  }
}

function requestForHook({ headers, ip }: FastifyRequest): McpRequest {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || headersForOthers.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.freeze({ headers: Object.freeze(Object.fromEntries(given)), address: ip });
}

/**
 * What has failed, for the log. The text and the members of an exception may repeat what the caller has sent, so only its kind, its code and
 * its place are told.
 */
function faultOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ValueFault || error instanceof DOMException) return { reason: error.message };
  if (!(error instanceof Error)) return { reason: `it has thrown what is no error: ${typeof error}` };
  const [at] = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { code } = error as { readonly code?: unknown }; // errors of Node have one
  return { reason: error.name, code, at: at?.trim() };
}
