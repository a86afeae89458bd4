import { nearestName } from '../../core/errors/nearest-name.ts';
import { corsPolicies, mcpCorsName } from '../cors-policies.ts';
import { tokenCookie } from '../token-issuers.ts';
import { withSuggestion } from './model-rules.ts';
import type { Rule, RuleFault } from './rule.ts';

/** The endpoint of the MCP server has settings only where there is one. */
export const mcpEndpointRule: Rule = ({ mcpServerEnabled, endpoints }) => {
  if (mcpServerEnabled || endpoints.mcp === null) return [];
  const message = 'has no effect while mcpServerEnabled is false';
  return [{ path: ['endpoints', 'mcp'], message, follows: ['mcpServerEnabled'] }];
};

/** The page of a question needs an address that browsers reach, and a cookie by which they sign in. */
export const mcpConfirmationsRule: Rule = ({ mcpServerEnabled, endpoints, server, auth }) => {
  if (!mcpServerEnabled || endpoints.mcp?.confirmations !== 'page') return [];
  return faultsOfPage(['endpoints', 'mcp', 'confirmations'], { server, auth });
};

/** What the page of a question lacks. */
export function faultsOfPage(
  path: readonly string[],
  { server, auth }: Pick<Parameters<Rule>[0], 'server' | 'auth'>,
): readonly RuleFault[] {
  return [
    ...(server.publicUrl === ''
      ? [{ path, message: 'page needs server.publicUrl', follows: ['server', 'publicUrl'] }]
      : []),
    ...(tokenCookie(auth) !== undefined
      ? []
      : [{ path, message: 'page needs auth.jwt.cookie', follows: ['auth', 'jwt', 'cookie'] }]),
  ];
}

/** The policy by which websites may use the MCP server must be there. */
export const mcpCorsRule: Rule = (settings) => {
  const name = mcpCorsName(settings);
  const names = [...corsPolicies(settings).keys()];
  if (name === undefined || names.includes(name)) return [];
  const fault = withSuggestion(`names no policy; cors has ${names.join(', ')}`, nearestName(name, names));
  return [{ path: ['endpoints', 'mcp', 'cors'], follows: ['cors'], showsValue: true, ...fault }];
};
