import type { Logger } from '../../core/ports/logger.ts';
import type { ToolContext } from '../../core/tools/tool.ts';
import { AccessTokens, bearerOf, nameOfToken } from './access-tokens.ts';
import { HttpDoor } from './http-door.ts';
import type { Reaching } from './mcp-connection.ts';
import type { McpLimits } from './mcp-limits.ts';
import { sharedKey, strangerKey } from './mcp-sessions.ts';
import type { McpServerSettings } from './mcp-settings.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Whose turn it is. The token of the user goes to the issuer of tokens alone. */
export type McpCaller = Pick<ToolContext, 'user' | 'channel' | 'conversationId' | 'authorization'>;

/** The tools of this server are run for signed-in users alone, with a token of theirs. */
export class NeedsUser extends Error {
  override readonly name = 'NeedsUser';
}

/**
 * Which connection serves a caller (contract/mcp-servers.md#connections).
 * @throws NeedsUser where a token of the user is needed, and the user has none.
 */
export function sessionKey(
  settings: McpServerSettings,
  { user, channel, conversationId, authorization }: McpCaller,
): string {
  if (settings.auth?.exchange === true) {
    const token = bearerOf(authorization);
    if (token === undefined) throw new NeedsUser('This needs a user who is signed in.');
    return `token ${nameOfToken(token)}`;
  }
  if (settings.shared ?? settings.serverUrl !== undefined) return sharedKey;
  // A request by SSE has no conversation that lasts, so all of one user share a connection.
  if (channel !== 'hub' && user.isAuthenticated) return userKey(user);
  return `${user.isAuthenticated ? '' : strangerKey}conversation ${conversationId}`;
}

/** The same id at two issuers is two users (contract/identity.md#issuers). As a list, no parts of one can pass for those of another. */
function userKey({ id, tenant, claims }: McpCaller['user']): string {
  return `user ${JSON.stringify([tenant, claims['iss'], id])}`;
}

/** How a connection is made. `close` frees what belongs to it. Without a caller it is that of this server itself. */
export function reachServer(
  settings: McpServerSettings,
  { caller, log, limits }: { readonly caller: McpCaller | undefined; readonly log: Logger; readonly limits: McpLimits },
): { readonly reaching: Reaching; readonly close: () => Promise<void> } {
  const { serverUrl, command = '', headers, auth } = settings;
  if (serverUrl === undefined) {
    const { arguments: words, environmentVariables } = settings;
    const program = { command, arguments: words, environmentVariables, log };
    const transport = (): StdioTransport => new StdioTransport(program, limits);
    return { reaching: { kind: 'stdio', transport }, close: () => Promise.resolve() };
  }
  const url = new URL(serverUrl);
  const subject = auth?.exchange === true ? bearerOf(caller?.authorization) : undefined;
  const tokens = auth === undefined ? undefined : new AccessTokens(auth, serverUrl, subject);
  const door = new HttpDoor({ url, headers, tokens, limits });
  return { reaching: { kind: 'http', url, door }, close: () => door.close() };
}
