import type { Rule, RuleFault } from './rule.ts';

const keyNames = ['secret', 'publicKeyFile', 'jwksUrl', 'issuer'] as const;

/** Tokens are checked with exactly one kind of key (contract/identity.md#tokens). */
export const tokenKeyRule: Rule = ({ auth: { jwt } }) => {
  if (jwt === null) return [];
  const given = keyNames.filter((name) => jwt[name] !== null);
  const [first, ...others] = given;
  if (first === undefined) return [{ path: ['auth', 'jwt'], message: `needs one of ${keyNames.join(', ')}` }];
  return others.map((name) => ({
    path: ['auth', 'jwt', name],
    message: `is not possible beside auth.jwt.${first}: tokens are checked with one kind of key`,
    follows: ['auth', 'jwt', first],
  }));
};

/** Only signed-in users may use an endpoint with `requireAuthorization` or roles, so such an endpoint needs `auth.jwt`. */
export const authorizationRule: Rule = ({ auth, endpoints: { transports, openai, agui, a2a } }) => {
  if (auth.jwt !== null) return [];
  const message = 'has no effect but to refuse everybody without auth.jwt, which signs users in';
  const follows = ['auth', 'jwt'];
  const served = {
    transports,
    ...(openai.enabled ? { openai } : {}),
    ...(agui.enabled ? { agui } : {}),
    ...(a2a === null ? {} : { a2a }),
  };
  return Object.entries(served).flatMap(([name, { requireAuthorization, roles }]): readonly RuleFault[] => {
    const at = (key: string): RuleFault => ({ path: ['endpoints', name, key], message, follows });
    return [...(requireAuthorization ? [at('requireAuthorization')] : []), ...(roles.length > 0 ? [at('roles')] : [])];
  });
};
