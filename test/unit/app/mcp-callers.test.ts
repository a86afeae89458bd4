import { describe, expect, it } from 'vitest';
import type { LoadedPlugin } from '../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { mcpCallerWarnings } from '../../../src/app/channels/mcp-callers.ts';
import { reportEndpoints } from '../../../src/app/server-report.ts';
import { tokenSecret } from '../../support/tokens.ts';
import { settingsWith } from '../config/load-from-text.ts';

const keys: LoadedPlugin = {
  ...{ name: 'keys', file: 'keys.js', tools: [], pages: [], models: new Map() },
  hooks: { mcpCallerPrincipal: () => null },
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

const page = `mcpServerEnabled: true
server: { publicUrl: 'https://shop.example' }
auth: { jwt: { secret: '${tokenSecret}', cookie: session } }
endpoints: { mcp: { confirmations: page } }
`;

describe('what is told of callers over MCP (contract/mcp-server.md#who-may-ask)', () => {
  // proves configuration-6-31
  it.each<[string, string, readonly LoadedPlugin[], readonly string[]]>([
    ['nobody says who calls', page, [], ['HLP1190']],
    ['tokens say it', `${page}mcpCallerPrincipal: fromToken\n`, [], []],
    ['a plugin says it', page, [keys], []],
    ['nobody is asked', 'mcpServerEnabled: true\n', [], []],
  ])('warns of a page without users only where there are none: %s', (_, yaml, plugins, codes) => {
    expect(mcpCallerWarnings(settingsWith(yaml), plugins).map(({ code }) => code)).toEqual(codes);
  });

  // proves service-5-32
  it('names the plugin, and no issuer whose tokens are not read', () => {
    const exposures = (yaml: string): readonly string[] =>
      reportEndpoints(settingsWith(yaml), [keys])
        .filter(({ path }) => /mcp$/.test(path))
        .map(({ exposure }) => exposure);
    expect(exposures('mcpServerEnabled: true\n')).toEqual(['callers whom the plugin keys knows']);
    const roles = `mcpServerEnabled: true
auth: { jwt: { issuer: 'https://id.example', audience: desk } }
endpoints: { mcp: { roles: [Desk] } }
`;
    expect(exposures(roles)).toEqual(['callers whom the plugin keys knows with the role Desk']);
  });
});
