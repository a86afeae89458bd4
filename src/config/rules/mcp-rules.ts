import { isLoopback } from '../warnings.ts';
import type { HelperSettings } from '../settings.ts';
import type { Rule, RuleFault } from './rule.ts';

type Entry = HelperSettings['mcpServers'][number];

/** An entry is reached in exactly one way, has only members of that way, and a name of its own (contract/mcp-servers.md#configuration). */
export const mcpServersRule: Rule = ({ mcpServers }) =>
  mcpServers.flatMap((entry, index): readonly RuleFault[] => {
    const path = ['mcpServers', index] as const;
    const first = mcpServers.findIndex(({ name }) => name.toLowerCase() === entry.name.toLowerCase());
    const message = `mcpServers[${String(first)}] has the same name; names are unique`;
    return [
      ...(first === index ? [] : [{ path: [...path, 'name'], message }]),
      ...transportFaults(entry).map(([key, message]) => ({ path: key === '' ? path : [...path, key], message })),
      ...tokenFaults(entry).map((message) => ({ path: [...path, 'auth', 'tokenUrl'], message })),
    ];
  });

function transportFaults(entry: Entry): readonly (readonly [key: string, message: string])[] {
  const { serverUrl, command, headers, auth, environmentVariables } = entry;
  if (serverUrl === undefined && command === undefined) return [['', 'has neither serverUrl nor command; give one']];
  if (serverUrl !== undefined && command !== undefined) return [['', 'has both serverUrl and command; give one']];
  if (serverUrl === undefined) {
    return [
      ...(Object.keys(headers).length === 0
        ? []
        : [['headers', 'stands beside command; only serverUrl has headers'] as const]),
      ...(auth === undefined ? [] : [['auth', 'stands beside command; only serverUrl has tokens'] as const]),
    ];
  }
  return [
    ...(entry.arguments.length === 0
      ? []
      : [['arguments', 'stands beside serverUrl; only command has arguments'] as const]),
    ...(Object.keys(environmentVariables).length === 0
      ? []
      : [['environmentVariables', 'stands beside serverUrl; only command has an environment'] as const]),
  ];
}

/** Secrets and the tokens of users travel only where nobody can read them. */
function tokenFaults({ auth }: Entry): readonly string[] {
  if (auth === undefined) return [];
  const { protocol, hostname } = new URL(auth.tokenUrl);
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isSafe ? [] : ['needs https: a secret in plain http can be read'];
}
