import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadObjectSettings } from '../../../src/config/load-settings.ts';
import { withoutEffect, withoutEffectCode } from '../../../src/config/without-effect.ts';
import { StartupFaults } from '../../../src/core/errors/startup-fault.ts';

const minimal = { appName: 'Desk', chatClient: 'demo', models: { demo: { provider: 'demo' } }, actions: 'none' };

function load(configuration: unknown, environment: Readonly<Record<string, string>> = {}) {
  return loadObjectSettings(configuration, { environment, workingDirectory: '/srv/shop' }).settings;
}

function faultsOf(configuration: unknown): readonly (readonly [string, string])[] {
  try {
    load(configuration);
  } catch (error) {
    if (error instanceof StartupFaults) return error.faults.map(({ path, message }) => [path, message] as const);
    throw error;
  }
  return [];
}

describe('a configuration that a program has put together (contract/in-process.md, contract/configuration.md)', () => {
  it('is read like a file: defaults, durations, enum values without case', () => {
    const settings = load({ ...minimal, theme: 'dark', server: { shutdownGrace: '2s', port: undefined } });
    expect(settings).toMatchObject({ theme: 'Dark', server: { shutdownGrace: 2000, port: 8080 } });
    expect(Object.isFrozen(settings.server)).toBe(true);
  });

  it('takes texts as they are, and relative paths from the working directory', () => {
    const settings = load({ ...minimal, appName: '${HOME} $${x}', storage: { path: 'data' } });
    expect(settings).toMatchObject({ appName: '${HOME} $${x}', storage: { path: '/srv/shop/data' } });
  });

  it('is overridden by the environment like a file (contract/configuration.md#reading)', () => {
    expect(load(minimal, { HELPER__APPNAME: 'Other' }).appName).toBe('Other');
  });

  it('is not changed, and does not change what was read later', () => {
    const configuration = { ...minimal, server: { hosts: ['a.example'] } };
    const { server } = load(configuration);
    configuration.server.hosts.push('b.example');
    expect(server.hosts).toEqual(['a.example']);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'helper', '(whole configuration)'],
    ['a list', [minimal], '(whole configuration)'],
    ['a function inside', { ...minimal, language: () => 'English' }, 'language'],
    ['a date inside', { ...minimal, appName: new Date(0) }, 'appName'],
    ['a number that is none', { ...minimal, maxToolRounds: Number.NaN }, 'maxToolRounds'],
    ['a bigint in a list', { ...minimal, server: { hosts: [1n] } }, 'server.hosts[0]'],
    ['an unknown key', { ...minimal, maxToolRound: 3 }, 'maxToolRound'],
  ])('with %s is a fault at its key', (_title, configuration, path) => {
    expect(faultsOf(configuration).map(([at]) => at)).toEqual([path]);
  });

  it('that holds itself is a fault and ends', () => {
    const circle: Record<string, unknown> = { ...minimal };
    circle['pluginOptions'] = { one: circle, two: circle };
    expect(faultsOf(circle).map(([, message]) => message)).toContain('too many values, or nested too deeply');
  });
});

describe('settings without effect (HLP1030)', () => {
  const keys = ['server.port', 'server.tls', 'cors', 'demoPage'];

  it('are named where they differ from their default', () => {
    const settings = load({ ...minimal, server: { port: 1 }, demoPage: false, cors: { default: { origins: [] } } });
    expect(withoutEffect(settings, keys, 'the host decides.')).toEqual([
      { code: 'HLP1030', message: 'server.port has no effect: the host decides.' },
    ]);
    expect(withoutEffect(load(minimal), keys, 'the host decides.')).toEqual([]);
  });

  it('have their place in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/reference/warnings.md', import.meta.url), 'utf8');
    expect(page).toContain(`## ${withoutEffectCode}`);
  });
});
