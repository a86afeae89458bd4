import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overlookedCodes } from '../../../src/adapters/plugin-directory/find/overlooked.ts';
import { emptyByCommentCode } from '../../../src/config/parse-yaml.ts';
import { callbackWarningCodes } from '../../../src/app/providers/callback-provider.ts';
import { reportEndpoints } from '../../../src/app/server-report.ts';
import { tokenSecret } from '../../support/tokens.ts';
import { settingsWith } from '../config/load-from-text.ts';

const pathsWith = (yaml: string): readonly string[] => reportEndpoints(settingsWith(yaml), []).map(({ path }) => path);

describe('the addresses helper check lists (contract/addresses.md#paths)', () => {
  it('say who may chat', () => {
    const auth = `auth: { jwt: { secret: "${tokenSecret}" } }\n`;
    const exposure = (transports: string): string | undefined =>
      reportEndpoints(settingsWith(`${auth}endpoints: { transports: ${transports} }\n`), []).find(
        ({ path }) => path === '/helper-hub',
      )?.exposure;
    expect(exposure('{}')).toBe('open to anyone');
    expect(exposure('{ requireAuthorization: true }')).toBe('signed-in users');
    expect(exposure('{ roles: [Staff, Admin] }')).toBe('signed-in users with the role Staff or Admin');
  });

  it('say whose answers, Stops and conversations are (contract/identity.md#whose-it-is, Whose it is)', () => {
    const exposure = (path: string, yaml = ''): string | undefined =>
      reportEndpoints(settingsWith(yaml), []).find((endpoint) => endpoint.path === path)?.exposure;
    expect(exposure('/helper/cancel')).toBe('its user; if anonymous, whoever holds the connectionId or turnId');
    expect(exposure('/helper/tour')).toBe('open to anyone');
    expect(exposure('/helper/openapi.json')).toBe('open to anyone');
    expect(exposure('/helper/session')).toBe('its user; if anonymous, whoever holds the connectionId');
    expect(exposure('/helper/approve')).toBe(
      'its user; if anonymous or over server-sent events, whoever holds the actionId',
    );
    const hubAlone = 'server: { channels: [hub] }\n';
    expect(exposure('/helper/approve', hubAlone)).toBe('its user; if anonymous, whoever holds the actionId');
  });

  it('are all that the widget and the demo page open', () => {
    const listed = pathsWith('demoPage: true\n');
    expect(listed).toEqual(
      expect.arrayContaining(['/', '/helper/widget.js', '/helper/assets/', '/helper/demo', '/helper/demo/reset']),
    );
  });

  it('say who sees the figures of the dashboard', () => {
    const exposure = (yaml: string): string | undefined =>
      reportEndpoints(settingsWith(yaml), []).find(({ path }) => path === '/helper/admin/metrics')?.exposure;
    expect(exposure('')).toBe('signed-in users with the role Admin, whom nobody can be without auth.jwt');
    expect(exposure(`auth: { jwt: { secret: "${tokenSecret}" } }\ndashboardRole: Ops\n`)).toBe(
      'signed-in users with the role Ops',
    );
    expect(exposure('dashboardRole: ""\n')).toBe('open to anyone');
  });

  // proves service-4.2-06
  it('are all that programs and their users open', () => {
    const exposures = (yaml: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        reportEndpoints(settingsWith(yaml), [])
          .filter(({ path }) => /confirm|well-known/.test(path))
          .map(({ path, exposure }) => [path, exposure]),
      );
    const common = `mcpServerEnabled: true
mcpCallerPrincipal: fromToken
a2aServerEnabled: true
server: { publicUrl: 'https://a.example', basePath: /desk }
auth: { jwt: { issuer: 'https://id.example', audience: desk, cookie: session } }
`;
    expect(exposures(`${common}endpoints: { mcp: {}, a2a: {} }\n`)).toEqual({
      '/.well-known/agent-card.json': 'open to anyone',
    });
    const page = 'its user, signed in by cookie';
    expect(
      exposures(`${common}endpoints: { mcp: { roles: [Desk], confirmations: page }, a2a: { legacy: true } }\n`),
    ).toEqual({
      '/desk/helper/confirm/{id}': page,
      '/.well-known/oauth-protected-resource/desk/mcp': 'open to anyone',
      '/.well-known/agent-card.json': 'open to anyone',
      '/.well-known/agent.json': 'open to anyone',
    });
    expect(
      exposures(`${common}endpoints: { a2a: { requireAuthorization: true, confirmations: page, legacy: true } }\n`),
    ).toEqual({
      '/desk/helper/confirm/{id}': page,
      '/.well-known/agent-card.json': 'signed-in users',
      '/.well-known/agent.json': 'signed-in users',
    });
  });

  it('leave the widget out where the hub is not served', () => {
    const listed = pathsWith('demoPage: true\nserver: { channels: [sse] }\n');
    expect(listed).toContain('/helper/chat');
    expect(listed.filter((path) => /^\/$|widget|assets|demo|hub/.test(path))).toEqual([]);
  });
});

describe('warnings of callbacks, plugins and the file (contract/configuration.md#commands)', () => {
  it('have every code documented', () => {
    const page = readFileSync(new URL('../../../docs/reference/warnings.md', import.meta.url), 'utf8');
    for (const code of [...Object.values(callbackWarningCodes), ...Object.values(overlookedCodes), emptyByCommentCode])
      expect(page).toContain(`## ${code}`);
  });
});
