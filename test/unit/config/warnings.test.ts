import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationWarningCodes, configurationWarnings, isLoopback } from '../../../src/config/warnings.ts';
import { tokenSecret } from '../../support/tokens.ts';
import { loadText, minimal } from './load-from-text.ts';

const real = minimal.replace('provider: demo', 'provider: openai, model: gpt, apiKey: none');

function codes(text: string, environment: Readonly<Record<string, string>> = {}): readonly string[] {
  const { settings } = loadText(text);
  if (settings === undefined) throw new Error('the test configuration has faults');
  return configurationWarnings(settings, environment).map(({ code }) => code);
}

describe('configurationWarnings (contract/configuration.md#commands)', () => {
  it.each<[string, string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing to warn of', minimal, {}, []],
    // proves service-2.9-04
    ['no trimming (contract/sessions.md#length)', `${minimal}maxSessionMessages: 0\n`, {}, ['HLP1001']],
    // proves service-2.9-04
    ['less than nothing (contract/sessions.md#length)', `${minimal}maxSessionMessages: -1\n`, {}, ['HLP1001']],
    ['a number of tools for a choice by itself', `${minimal}toolFilterMaxTools: 5\n`, {}, []],
    ['a choice of tools', `${minimal}enableToolFiltering: true\ntoolFilterMaxTools: 5\n`, {}, []],
    // proves configuration-6-32
    [
      'an MCP server that asks nobody',
      `${minimal}mcpServerEnabled: true\nrequireConfirmation: false\n`,
      {},
      ['HLP1191'],
    ],
    [
      'a comparison of replies by the demo model',
      `${minimal}a2aServerEnabled: true\nenableA2AGroundingCheck: true\n`,
      {},
      ['HLP1200'],
    ],
    // proves configuration-1-45
    [
      'an A2A server that asks nobody',
      `${minimal}a2aServerEnabled: true\nrequireConfirmation: false\n`,
      {},
      ['HLP1201'],
    ],
    // proves configuration-1-45
    [
      'an A2A server that is open to anybody',
      `${real}a2aServerEnabled: true\nserver: { channels: [] }\n`,
      {},
      ['HLP1202'],
    ],
    // proves configuration-1-46
    [
      'clients of OpenAI that may be anybody (contract/openai.md#who-may-ask)',
      `${real}server: { channels: [] }\nendpoints: { openai: { enabled: true, requireAuthorization: false } }\n`,
      {},
      ['HLP1210'],
    ],
    // proves configuration-1-46
    [
      'front ends that may be anybody (contract/ag-ui.md#who-may-ask)',
      `${real}server: { channels: [] }\nendpoints: { agui: { enabled: true, requireAuthorization: false } }\n`,
      {},
      ['HLP1210'],
    ],
    [
      'both, with the demo model',
      `${minimal}endpoints: { openai: { enabled: true, requireAuthorization: false }, agui: { enabled: true, requireAuthorization: false } }\n`,
      {},
      [],
    ],
    [
      'both, that are off',
      `${real}server: { channels: [] }\nendpoints: { openai: { requireAuthorization: false }, agui: { requireAuthorization: false } }\n`,
      {},
      [],
    ],
    [
      'both, for users with a role and for signed-in users',
      `${real}server: { channels: [] }\nauth: { jwt: { secret: "${tokenSecret}" } }\nendpoints: { openai: { enabled: true, requireAuthorization: false, roles: [Desk] }, agui: { enabled: true } }\n`,
      {},
      [],
    ],
    // proves service-2.7-35
    ['a rate of users that nobody signs in as', `${minimal}rateLimitPerUser: 5\n`, {}, ['HLP1193']],
    [
      'a budget of users that nobody signs in as',
      `${real}budgets: [{ per: user, tokens: 9, then: refuse }]\n`,
      {},
      ['HLP1004', 'HLP1193'],
    ],
    [
      'a rate of users, beside one that counts strangers',
      `${minimal}rateLimitPerUser: 5\nendpoints: { transports: { rateLimit: { max: 5, window: 1m } } }\n`,
      {},
      [],
    ],
    [
      'a budget of users, beside one of everybody',
      `${minimal}budgets: [{ per: user, tokens: 9, then: refuse }, { per: day, tokens: 9, then: refuse }]\n`,
      {},
      [],
    ],
    ['a rate of all strangers together', `${minimal}rateLimitPerUser: 5\nanonymousIdentity: Shared\n`, {}, []],
    [
      'a rate of signed-in users alone',
      `${minimal}rateLimitPerUser: 5\nauth: { jwt: { secret: "${tokenSecret}" } }\nendpoints: { transports: { requireAuthorization: true } }\n`,
      {},
      [],
    ],
    // proves configuration-1-30
    [
      'a policy that no endpoint names',
      `${minimal}cors: { desk: { origins: [https://desk.example] } }\n`,
      {},
      ['HLP1192'],
    ],
    [
      'a policy that the MCP server names',
      `${minimal}mcpServerEnabled: true\nendpoints: { mcp: { cors: desk } }\ncors: { desk: { origins: [https://desk.example] } }\n`,
      {},
      [],
    ],
    ['a warm-up of nothing', `${minimal}warmUpAtStartup: true\n`, {}, ['HLP1141']],
    ['a warm-up', `${real}warmUpAtStartup: true\n`, {}, ['HLP1004']],
    // proves service-2.17-03
    ['hosted tools of a model without any', `${minimal}hostedTools: [WebSearch]\n`, {}, ['HLP1120']],
    // proves service-2.17-03
    [
      'hosted tools over chat completions',
      `${real.replace('apiKey: none', 'apiKey: none, api: chat')}hostedTools: [WebSearch]\n`,
      {},
      ['HLP1004', 'HLP1120'],
    ],
    ['hosted tools', `${real}hostedTools: [WebSearch]\n`, {}, ['HLP1004']],
    [
      'servers of a model without any',
      `${minimal}hostedMcpServers: [{ name: erp, url: "https://erp.example" }]\n`,
      {},
      ['HLP1120'],
    ],
    // proves configuration-2-51
    [
      'a demo model that cannot tell what is true (contract/guardrails.md#true-replies)',
      `${minimal}requireActionForChangeRequests: true\n`,
      {},
      ['HLP1091'],
    ],
    ['the same of look-ups', `${minimal}requireLookupForRecordQuestions: true\n`, {}, ['HLP1091']],
    [
      'figures of each tenant for its admins',
      `${minimal}auth: { jwt: { secret: "${tokenSecret}" } }\ntenancy: { claim: org }\n`,
      {},
      [],
    ],
    ['compaction', `${minimal}enableCompaction: true\ncompactionMaxTurns: 3\n`, {}, []],
    ['figures for anyone on this machine', `${minimal}dashboardRole: ""\n`, {}, []],
    ['the demo page with the demo model', `${minimal}demoPage: true\n`, {}, []],
    ['the demo page in production', `${minimal}demoPage: true\n`, { NODE_ENV: 'production' }, ['HLP1002']],
    ['the demo page with a real model', `${real}demoPage: true\n`, {}, ['HLP1002', 'HLP1004']],
    // proves service-5-04
    ['a paid turn for anyone (contract/operations.md#logs)', real, {}, ['HLP1004']],
    [
      'a paid turn for signed-in users only',
      `${real}auth: { jwt: { secret: "${tokenSecret}" } }\nendpoints: { transports: { requireAuthorization: true } }\n`,
      {},
      [],
    ],
    [
      'roles that users write themselves',
      `${minimal}auth: { jwt: { secret: "${tokenSecret}", roleClaim: [app_metadata.role, user_metadata.role] } }\n`,
      {},
      ['HLP1025'],
    ],
    ...[
      '*.role',
      '*_metadata.role',
      'user*',
      '*',
      'Unsafe_Metadata',
      'https://shop.example/user_metadata.role',
      'data.unsafeMetadata.role',
    ].map((claim): [string, string, object, string[]] => [
      `roles that users write themselves by the name ${claim}`,
      `${minimal}auth: { jwt: { secret: "${tokenSecret}", roleClaim: "${claim}" } }\n`,
      {},
      ['HLP1025'],
    ]),
    [
      'roles that the back end alone writes',
      `${minimal}auth: { jwt: { secret: "${tokenSecret}", roleClaim: [app_*.role, resource_access.*.roles, "https://*/roles", org_metadata.role, user.role] } }\n`,
      {},
      [],
    ],
    [
      'a tenant that users write themselves',
      `${minimal}auth: { jwt: { secret: "${tokenSecret}" } }\ntenancy: { claim: unsafeMetadata.org }\n`,
      {},
      ['HLP1025'],
    ],
    [
      'clients in place of an audience',
      `${minimal}auth: { jwt: [{ issuer: "https://a.example", clients: web }, { preset: firebase, issuer: "https://securetoken.google.com/a" }] }\n`,
      {},
      [],
    ],
    ['an issuer without an audience', `${minimal}auth: { jwt: { issuer: "https://a.example" } }\n`, {}, ['HLP1021']],
    [
      'keys read without TLS',
      `${minimal}auth: { jwt: { jwksUrl: "http://a.example/keys", audience: desk } }\n`,
      {},
      ['HLP1022'],
    ],
    [
      'keys read from this machine',
      `${minimal}auth: { jwt: { issuer: "http://localhost:9000", audience: desk } }\n`,
      {},
      [],
    ],
    ['images for a model that cannot see', `${minimal}enableImageInput: true\n`, {}, ['HLP1011']],
    ['images for a real model', `${real}enableImageInput: true\n`, {}, ['HLP1004']],
    [
      'content in telemetry (contract/operations.md#traces)',
      `${minimal}enableObservability: true\nobservabilityIncludeSensitiveData: true\ntelemetry: { otlpEndpoint: "http://otel:4318" }\n`,
      {},
      ['HLP1018'],
    ],
    [
      'words of models in the log (contract/operations.md#logs)',
      `${minimal}observabilityIncludeSensitiveData: true\n`,
      {},
      ['HLP1018'],
    ],
    [
      'telemetry that is on',
      `${minimal}enableObservability: true\ntelemetry: { otlpEndpoint: "http://otel:4318" }\n`,
      {},
      [],
    ],
    [
      'questions that no restart survives',
      `${minimal}hitlMode: Native\nstorage: { type: memory }\nserver: { channels: [sse] }\n`,
      {},
      ['HLP1007'],
    ],
    [
      'turns that no crash leaves',
      `${minimal}storage: { type: memory }\nserver: { channels: [sse], durableTurns: true }\n`,
      {},
      ['HLP1007'],
    ],
    ['turns that are kept', `${minimal}server: { durableTurns: true }\n`, {}, []],
    // proves configuration-7-01
    ['an AI that is not said to be one (contract/widget.md#looks)', `${minimal}aiDisclosure: false\n`, {}, ['HLP1008']],
    ['no channel, no turn', `${real}server: { channels: [] }\n`, {}, []],
    [
      'a database whose key is in a folder',
      `${minimal}storage: { type: postgres, url: 'postgres://helper@database/helper' }\n`,
      {},
      ['HLP1024'],
    ],
    ['snapshots under a key of the process', `${minimal}storage: { type: memory }\n`, {}, ['HLP1010']],
    ['no hub, no snapshots', `${minimal}storage: { type: memory }\nserver: { channels: [sse] }\n`, {}, []],
    [
      'snapshots under a key that lasts',
      `${minimal}storage: { type: memory }\ndataProtection: { keys: [${'A'.repeat(43)}] }\n`,
      {},
      [],
    ],
    // proves service-2.15-33
    [
      'figures for anyone',
      `${minimal}dashboardRole: ""\nserver: { host: 0.0.0.0, publicUrl: "https://a.example" }\nendpoints: { metrics: { token: long-enough } }\n`,
      {},
      ['HLP1016'],
    ],
    ['all addresses', `${minimal}server: { host: 0.0.0.0 }\n`, {}, ['HLP1003', 'HLP1005']],
    [
      'all addresses, guarded',
      `${minimal}server: { host: 0.0.0.0, publicUrl: "https://a.example" }\nendpoints: { metrics: { token: long-enough } }\n`,
      {},
      [],
    ],
    [
      'metrics on a port of their own for this machine',
      `${minimal}server: { host: 0.0.0.0, publicUrl: "https://a.example" }\nendpoints: { metrics: { port: 9464, host: 127.0.0.1 } }\n`,
      {},
      [],
    ],
    [
      'metrics on a port of their own for all',
      `${minimal}endpoints: { metrics: { port: 9464, host: "::" } }\n`,
      {},
      ['HLP1003'],
    ],
  ])('%s', (...[, text, environment, expected]) => {
    expect(codes(text, environment)).toEqual(expected);
  });

  it('names the addresses that are open, and what closes each (contract/openai.md#who-may-ask)', () => {
    const open = '{ enabled: true, requireAuthorization: false }';
    const { settings } = loadText(
      `${real}server: { channels: [], basePath: /desk }\nendpoints: { openai: ${open}, agui: ${open} }\n`,
    );
    if (settings === undefined) throw new Error('the test configuration has faults');
    expect(configurationWarnings(settings, {})).toEqual([
      {
        code: 'HLP1210',
        message:
          '/desk/v1 and /desk/agui run a paid turn for anyone who can reach 127.0.0.1: set endpoints.openai.requireAuthorization and endpoints.agui.requireAuthorization, or keep the address to those you mean to serve.',
      },
    ]);
  });

  it('gives no code to two warnings', () => {
    const page = readFileSync(new URL('../../../docs/reference/warnings.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^## (HLP\d+)$/gm)].map(([, code]) => code);
    expect(documented).toEqual([...new Set(documented)]);
  });

  // proves configuration-1-11
  it('has every code documented', () => {
    const page = readFileSync(new URL('../../../docs/reference/warnings.md', import.meta.url), 'utf8');
    for (const code of Object.values(configurationWarningCodes)) expect(page).toContain(`## ${code}`);
  });

  it('gives each code one meaning: it stands once in the source and is explained once', () => {
    const root = new URL('../../../', import.meta.url);
    const page = readFileSync(new URL('docs/reference/warnings.md', root), 'utf8');
    const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' });
    const codes = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => readFileSync(new URL(`src/${file}`, root), 'utf8').match(/'HLP\d{4}'/g) ?? [])
      .map((quoted) => quoted.slice(1, -1));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(codes.toSorted()).toEqual([...(page.match(/(?<=^## )HLP\d{4}/gm) ?? [])].toSorted());
  });
});

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1'])('%s is', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['0.0.0.0', '::', '10.0.0.1', '127.example.com', 'helper'])('%s is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
