import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkJson } from '../../../src/cli/check-json.ts';
import { formatFaults } from '../../../src/cli/format-faults.ts';
import { helpText } from '../../../src/cli/help.ts';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import { childSchema, type SettingSchema } from '../../../src/config/schema/setting-schema.ts';
import { PluginWorkbench, toolContext, toolNamed } from '../adapters/plugin-directory/plugin-workbench.ts';
import { loadText } from '../config/load-from-text.ts';
import { blocksIn, inlineCode, pages } from './pages.ts';

/** The settings that an example with only a part of a configuration needs in addition. */
const base: Readonly<Record<string, string>> = {
  appName: 'appName: Desk',
  chatClient: 'chatClient: demo',
  models: 'models: { demo: { provider: demo } }',
  actions: 'actions: none',
};

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Every environment variable is set to its own text that could be a key, so that no example fails because a variable is missing. */
const environment = new Proxy<Record<string, string>>(
  {},
  {
    get: (_target, name) => {
      if (typeof name !== 'string') return undefined;
      if (name.endsWith('_SIGNING_KEY')) return signingKey;
      if (name === 'DATABASE_URL') return 'postgres://helper@database/helper';
      if (name === 'REDIS_URL') return 'redis://redis';
      return /_(?:CALLBACK|SEARCH)_SECRET$/.test(name)
        ? `whsec_${name.replaceAll('_', '').padEnd(32, 'A')}`
        : name.padEnd(43, '-');
    },
    ownKeys: () => [],
  },
);

function completed(code: string): string {
  const given = Object.keys((parse(code) as object | null) ?? {});
  const missing = Object.entries(base).filter(
    // If the example has models, `chatClient` must name one of them and is set below.
    ([key]) => !given.includes(key) && !(key === 'chatClient' && (given.includes('models') || given.includes('agent'))),
  );
  const models = given.includes('models') ? Object.keys((parse(code) as { models: object }).models) : [];
  const choice = given.includes('models') && !given.includes('chatClient') ? [`chatClient: ${models[0] ?? ''}`] : [];
  return [...missing.map(([, line]) => line), ...choice, code].join('\n');
}

describe('YAML in the documentation', () => {
  // Those of the guide to Kubernetes are values of the chart, and chart-guide.test.ts renders them.
  const blocks = blocksIn('yaml').filter(({ page }) => page !== 'docs/guides/kubernetes.md');

  it.each(blocks)('loads as a configuration: $page, line $line', ({ code }) => {
    const { faults } = loadText(completed(code), { environment });
    // The plugins, certificates and folders of skills in the examples belong to the reader and do not exist here.
    const own = [
      'actions.plugins[',
      'actions.openapi[0].document',
      'skillsFolder',
      'network.ca[',
      'ragSources[0].path',
    ];
    expect(faults.filter(({ path }) => !own.some((start) => path.startsWith(start)))).toEqual([]);
  });
});

describe('settings named in the documentation', () => {
  const sections = Object.keys(helperSchema.properties);
  const named = inlineCode().flatMap(({ page, code }) => {
    const path = /^([a-zA-Z]+(?:\.[a-zA-Z]+)+)(?:: .*)?$/.exec(code)?.[1];
    return path !== undefined && !path.endsWith('.json') && sections.includes(path.split('.', 1)[0] ?? '')
      ? [{ page, path }]
      : [];
  });

  it.each(named)('exist: $path in $page', ({ path }) => {
    const found = path
      .split('.')
      .reduce<SettingSchema | undefined>((schema, key) => schema && childSchema(schema, key), helperSchema);
    expect(found).toBeDefined();
  });
});

describe('environment variables named in the documentation', () => {
  const lines = blocksIn('sh').flatMap(({ page, code }) =>
    [...code.matchAll(/^(HELPER__\w+)=('[^']*'|\S+)$/gm)].map(([, name = '', value = '']) => ({ page, name, value })),
  );
  const inline = inlineCode().flatMap(({ page, code }) => {
    const [, name, value] = /^(HELPER__[A-Z_]+)=(\S+)$/.exec(code) ?? [];
    return name === undefined || value === undefined ? [] : [{ page, name, value }];
  });

  it.each([...lines, ...inline])('override a key: $name=$value in $page', ({ name, value }) => {
    const text = Object.values({
      ...base,
      models: 'models: { demo: { provider: demo }, main: { provider: openai, model: m, apiKey: k } }',
    });
    expect(loadText(text.join('\n'), { environment: { [name]: value.replaceAll("'", '') } }).faults).toEqual([]);
  });
});

describe('commands named in the documentation', () => {
  const code = [...inlineCode(), ...blocksIn('sh')];

  it('are commands of helper', () => {
    const known = [...helpText('helper').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
    const named = code.flatMap(({ code: text }) =>
      [...text.matchAll(/(?:^|\s)(?:npx helper|helper|node dist\/main\.js) ([a-z-]+)/gm)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !known.includes(name) && name !== 'help')).toEqual([]);
  });

  it('are scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    }; // our own file
    const named = code.flatMap(({ code: text }) =>
      [...text.matchAll(/npm run ([a-z0-9:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('what the documentation shows as output', () => {
  it('faults look as the configuration guide shows them (contract/configuration.md#faults)', () => {
    const [block] = blocksIn('text').filter(({ page }) => page === 'docs/guides/configuration.md');
    const text = `appName: Desk\nmodels: { demo: { provider: demo } }\nactions: none\nchatClinet: demo\nchatClient: demo\n\n\nserver:\n  port: \${PORT}\n`;
    const { faults } = loadText(text, { environment: { PORT: 'many' } });
    const printed = formatFaults(faults, '/').replaceAll('helper.yaml:', 'config/helper.yaml:');
    expect(printed.startsWith(block?.code ?? '-')).toBe(true);
  });

  it('the JSON of helper check has the members that its guide shows (contract/configuration.md#commands)', () => {
    const [block] = blocksIn('json').filter(({ page }) => page === 'docs/guides/cli.md');
    const shown = JSON.parse(block?.code ?? '') as Record<string, readonly object[]>; // compared below
    const action = {
      name: 'a',
      source: 'action',
      from: 'plugin p',
      readOnly: false,
      asks: true,
      reason: 'write',
      roles: [],
      agent: null,
      tenants: [],
      trusted: false,
      sinks: [],
      unasked: null,
    } as const;
    const made = checkJson({
      ok: true,
      report: {
        models: [
          {
            ...{ name: 'main', kind: 'chat', provider: 'openai', model: 'x' },
            ...{ speaks: 'chat completions', at: 'https://example.com/v1', over: null },
          },
        ],
        actions: [action],
        agents: [
          {
            ...{ name: 'A', kind: 'specialist', mode: null, from: 'a.agent.yaml' },
            ...{ tools: [], members: [], roles: [], model: 'main', version: '0' },
          },
        ],
        skills: [{ name: 's', from: 'plugin p', roles: [], tenants: [] }],
        mcpServers: [
          {
            ...{ name: 'm', target: 'node', transport: 'stdio', asksAlways: false },
            ...{ allowedTools: null, roles: [], tenants: [] },
          },
        ],
        endpoints: [{ path: '/', exposure: 'open to anyone' }],
        network: { proxies: [], noProxy: [], roots: 0 },
        toolWeight: { count: 1, tokens: 90, bytes: 300, share: 0.001, words: '1' },
        warnings: [{ code: 'HLP1004', message: 'm' }],
        model: { name: 'demo', isDemo: true },
        demoPage: null,
      },
    });
    expect(Object.keys(shown)).toEqual(Object.keys(made));
    expect(Object.keys(shown['toolWeight'] ?? {})).toEqual(Object.keys(made.toolWeight ?? {}));
    for (const list of ['warnings', 'models', 'actions', 'agents', 'skills', 'mcpServers', 'endpoints'] as const) {
      expect(Object.keys(shown[list]?.[0] ?? {})).toEqual(Object.keys(made[list][0] ?? {}));
    }
  });
});

describe('the example of the README', () => {
  it('is a plugin that works with the configuration beside it', async () => {
    const [block] = blocksIn('js').filter(({ page }) => page === 'README.md');
    expect(pages.get('README.md')).toContain('`plugins/orders/index.js`');
    const bench = await PluginWorkbench.open({ 'orders/index.js': block?.code ?? '' });
    const tool = toolNamed(await bench.loadOne(), 'cancel_order');
    expect(tool).toMatchObject({ readOnly: undefined, requiresConfirmation: undefined });
    const result = await tool.execute({ orderNumber: 7 }, toolContext());
    expect(result.value).toEqual({ orderNumber: 7, status: 'cancelled' });
  });
});
