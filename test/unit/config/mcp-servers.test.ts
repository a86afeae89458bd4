import { describe, expect, it } from 'vitest';
import { faultsWith, settingsWith } from './load-from-text.ts';

/** The faults of a configuration, one a line. */
const faultsOf = (text: string): string =>
  faultsWith(text)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('\n');
const entry = (members: string): string => `mcpServers: [{ name: erp, ${members} }]`;
const auth = (url: string): string => `auth: { clientId: a, clientSecret: s3cret, tokenUrl: "${url}" }`;
const http = 'serverUrl: "https://erp.example/mcp"';

describe('mcpServers (contract/mcp-servers.md#configuration)', () => {
  // proves service-2.16-01
  it('has every default of the contract', () => {
    expect(settingsWith('').mcpServers).toEqual([]);
    expect(settingsWith(entry(`${http}, ${auth('https://login.example/token')}`)).mcpServers).toEqual([
      {
        name: 'erp',
        serverUrl: 'https://erp.example/mcp',
        arguments: [],
        environmentVariables: {},
        requiresConfirmation: false,
        requiredRoles: [],
        tenants: [],
        timeout: 60_000,
        tools: {},
        headers: {},
        auth: {
          clientId: 'a',
          clientSecret: 's3cret',
          tokenUrl: 'https://login.example/token',
          exchange: false,
        },
      },
    ]);
  });

  // proves service-2.16-02, service-2.16-03
  it.each([
    ['neither an address nor a program', 'timeout: 5s', 'has neither serverUrl nor command'],
    ['both', `${http}, command: node`, 'has both serverUrl and command'],
    ['headers of a program', 'command: node, headers: { a: b }', 'headers: stands beside command'],
    ['a token of a program', `command: node, ${auth('https://login.example/token')}`, 'auth: stands beside command'],
    ['arguments of an address', `${http}, arguments: [a]`, 'arguments: stands beside serverUrl'],
    ['an environment of an address', `${http}, environmentVariables: { A: b }`, 'stands beside serverUrl'],
    ['an issuer in plain http', `${http}, ${auth('http://login.example/token')}`, 'tokenUrl: needs https'],
    ['a name that is none', 'name: "a b", command: node', 'allowed: letters, digits, dashes and underscores'],
    ['an address with a user', 'serverUrl: "https://ann:pw@erp.example"', 'without a user name'],
  ])('refuses %s', (_what, members, message) => {
    const written = members.startsWith('name:') ? `mcpServers: [{ ${members} }]` : entry(members);
    const faults = faultsOf(written);
    expect(faults).toContain(message);
    expect(faults).not.toContain('s3cret');
  });

  // proves service-2.16-02
  it('refuses two servers with the same name, whatever its case', () => {
    const faults = faultsOf(`mcpServers: [{ name: erp, ${http} }, { name: ERP, command: node }]`);
    expect(faults).toContain('mcpServers[0] has the same name; names are unique');
  });

  // proves service-2.16-03
  it('takes an issuer on this machine in plain http', () => {
    expect(faultsOf(entry(`${http}, ${auth('http://localhost:4000/token')}`))).toBe('');
  });
});
