import { describe, expect, it } from 'vitest';
import type { LoadedPlugin } from '../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { openIdentity } from '../../../src/app/open-identity.ts';
import { systemClock } from '../../../src/app/system-clock.ts';
import type { PluginHooks } from '../../../src/plugin-api/plugin.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import { makeToken, tokenSecret } from '../../support/tokens.ts';
import { settingsWith } from '../config/load-from-text.ts';

const settings = settingsWith(`auth: { jwt: { secret: "${tokenSecret}" } }\n`);

function plugin(transformClaims: PluginHooks['transformClaims'] | ((user: never) => unknown)): LoadedPlugin {
  return {
    name: 'staff',
    file: 'staff.js',
    tools: [],
    pages: [],
    models: new Map(),
    // a plugin in JavaScript may have this shape
    hooks: { transformClaims } as PluginHooks,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

describe('hooks.transformClaims (contract/identity.md#tokens)', () => {
  it('sees the user as actions do, and adds roles and claims', async () => {
    const seen: unknown[] = [];
    const transform: PluginHooks['transformClaims'] = (user) => {
      seen.push(user);
      return { roles: ['Agent'], claims: { department: 'returns' } };
    };
    const authenticator = await openIdentity(settings, [plugin(transform)], {
      log: recordingLogger(),
      metrics: recordingMetrics(),
      clock: systemClock,
    });
    const { principal } = await authenticator.authenticate(await makeToken({ sub: 'ann', role: 'Staff' }));
    expect(seen).toMatchObject([{ id: 'ann', name: 'ann', roles: ['Staff'], isAuthenticated: true }]);
    expect(principal).toMatchObject({
      roles: new Set(['Staff', 'Agent']),
      claims: { sub: 'ann', department: 'returns' },
    });
  });

  it('changes nothing by returning nothing', async () => {
    const authenticator = await openIdentity(settings, [plugin(() => undefined)], {
      log: recordingLogger(),
      metrics: recordingMetrics(),
      clock: systemClock,
    });
    const { principal } = await authenticator.authenticate(await makeToken({ sub: 'ann', role: 'Staff' }));
    expect(principal.roles).toEqual(new Set(['Staff']));
  });

  it.each([
    ['roles that are no list', { roles: 'Admin' }],
    ['roles that are no texts', { roles: [1] }],
    ['claims that are no object', { claims: 'x' }],
  ])('that returns %s lets nobody in, and the log says why', async (_title, added) => {
    const log = recordingLogger();
    const authenticator = await openIdentity(settings, [plugin(() => added)], {
      log,
      metrics: recordingMetrics(),
      clock: systemClock,
    });
    await expect(authenticator.authenticate(await makeToken({ sub: 'ann' }))).rejects.toMatchObject({
      code: 'internal',
    });
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 'error' }));
  });
});

describe('a key that cannot be used', () => {
  it('keeps the server from starting and names the setting', async () => {
    const broken = settingsWith(`auth: { jwt: { secret: "${tokenSecret}", algorithms: [RS256] } }\n`);
    await expect(
      openIdentity(broken, [], { log: recordingLogger(), metrics: recordingMetrics(), clock: systemClock }),
    ).rejects.toThrow('auth.jwt.algorithms: RS256 does not fit the key');
  });
});
