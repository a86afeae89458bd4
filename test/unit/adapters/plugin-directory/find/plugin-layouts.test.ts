import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginSource, PluginWorkbench, toolContext, toolNamed } from '../plugin-workbench.ts';

describe('where plugins are found (contract/plugins.md#plugins)', () => {
  it.each([
    // proves extending-1-01
    ['a folder with index.js', 'cases/index.js', {}],
    ['a folder with index.mjs', 'cases/index.mjs', {}],
    ['a folder with index.ts', 'cases/index.ts', {}],
    ['a single file NAME.plugin.js', 'cases.plugin.js', {}],
    // proves extending-1-01
    ['a single file NAME.plugin.mjs', 'cases.plugin.mjs', {}],
    ['a single file NAME.plugin.ts', 'cases.plugin.ts', {}],
    [
      'a package.json with main',
      'cases/lib/entry.js',
      { 'cases/package.json': '{"type":"module","main":"lib/entry"}' },
    ],
    // proves extending-1-01
    [
      'a package.json with exports',
      'cases/entry.ts',
      { 'cases/package.json': '{"type":"module","exports":"./entry.ts"}' },
    ],
    [
      'a package.json with conditions',
      'cases/entry.js',
      {
        'cases/package.json': JSON.stringify({
          type: 'module',
          exports: { '.': { types: './index.d.ts', import: { default: './entry.js' } } },
        }),
      },
    ],
    [
      'a package.json without an entry, beside an index',
      'cases/index.js',
      { 'cases/package.json': '{"type":"module"}' },
    ],
  ])('%s is a plugin', async (_title, file, more: Record<string, string>) => {
    const bench = await PluginWorkbench.open({ [file]: pluginSource('cases'), ...more });
    const plugin = await bench.loadOne();
    expect(plugin.file).toBe(bench.path(file));
    expect(plugin.tools.map(({ name }) => name)).toEqual(['look_up']);
  });

  it('a CommonJS file is a plugin too, compiled ones included', async () => {
    const bench = await PluginWorkbench.open({
      'plain/index.js': `const { card } = require('helper');\nmodule.exports = { name: 'plain', start() { card(1, {}); } };`,
      'compiled/index.js':
        "Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = { name: 'compiled' };",
    });
    const plugins = await bench.load();
    expect(plugins.map(({ name }) => name)).toEqual(['compiled', 'plain']);
    await plugins[1]?.start();
  });

  it('an export called plugin does as well as a default export', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': "export const plugin = { name: 'cases' };" });
    expect((await bench.loadOne()).name).toBe('cases');
  });

  // proves extending-1-01
  it('node_modules, dot files, folders without an entry and other files are passed over', async () => {
    const broken = "throw new Error('must not be imported');";
    const bench = await PluginWorkbench.open({
      'node_modules/thing/index.js': broken,
      '.hidden/index.js': broken,
      '.hidden.plugin.js': broken,
      'shared/texts.js': broken,
      'index.js': broken,
      'README.md': 'text',
      'cases/index.js': pluginSource('cases'),
    });
    expect((await bench.load()).map(({ name }) => name)).toEqual(['cases']);
  });

  it('a link to a folder and to a file counts as what it points to', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': "import { card } from 'helper';\n" + pluginSource('cases'),
    });
    const elsewhere = join(bench.folder, 'linked');
    await mkdir(elsewhere);
    await symlink(bench.path('cases'), join(elsewhere, 'cases'));
    expect((await bench.loadOne({ directories: [elsewhere] })).name).toBe('cases');
  });

  // proves extending-1-04
  it('plugins are ordered by directory, then by name (contract/plugins.md#plugins)', async () => {
    const bench = await PluginWorkbench.open({
      'first/z/index.js': pluginSource('zebra', 'act_zebra'),
      'first/a/index.js': pluginSource('yak', 'act_yak'),
      'first/m.plugin.js': pluginSource('ant', 'act_ant'),
      'second/b/index.js': pluginSource('bee', 'act_bee'),
    });
    const plugins = await bench.load({ directories: ['plugins/second', 'plugins/first'] });
    expect(plugins.map(({ name }) => name)).toEqual(['bee', 'ant', 'yak', 'zebra']);
  });

  // proves extending-1-02
  it('TypeScript runs without a build step, its neighbours and types from helper included', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.ts': `
        import { definePlugin, type PluginDefinition } from 'helper';
        import { lookUp } from './look-up.ts';
        const plugin: PluginDefinition = { name: 'cases', actions: [lookUp] };
        export default definePlugin(plugin);`,
      'cases/look-up.ts': `
        import { defineAction, navigate } from 'helper';
        export const lookUp = defineAction<{ id: number }>({
          name: 'look_up', description: 'Looks up.', parameters: { type: 'object' },
          execute: ({ id }) => navigate('case', { id }),
        });`,
    });
    const tool = toolNamed(await bench.loadOne(), 'look_up');
    const result = await tool.execute({ id: 7 }, toolContext());
    expect(result.navigate).toEqual({ page: 'case', params: { id: 7 } });
  });
});

describe('helper as a plugin sees it (contract/plugins.md#plugins)', () => {
  const usesCard = `import { card } from 'helper';
    export default { name: 'cases', actions: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' },
      execute: () => card({ found: true }, { type: 'AdaptiveCard' }) }] };`;

  it.each([
    // proves extending-1-03
    ['without a package.json or node_modules', {}],
    ['with a package.json of its own', { 'cases/package.json': '{"name":"cases","type":"module"}' }],
    // proves extending-1-03
    [
      'with another helper in its node_modules',
      {
        'cases/node_modules/helper/package.json': '{"name":"helper","main":"index.js"}',
        'cases/node_modules/helper/index.js': "exports.card = () => 'the wrong one';",
      },
    ],
  ])('is this server, for a plugin %s', async (_title, files: Record<string, string>) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': usesCard, ...files });
    const result = await toolNamed(await bench.loadOne(), 'look_up').execute({}, toolContext());
    expect(result).toEqual({ value: { found: true }, card: { type: 'AdaptiveCard' } });
  });

  it('is this server too under the name of its package, whatever is installed beside the plugin', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': usesCard.replace("'helper'", "'helper-server'"),
      'cases/node_modules/helper-server/package.json': '{"name":"helper-server","main":"index.js"}',
      'cases/node_modules/helper-server/index.js': "exports.card = () => 'the wrong one';",
    });
    const result = await toolNamed(await bench.loadOne(), 'look_up').execute({}, toolContext());
    expect(result.card).toEqual({ type: 'AdaptiveCard' });
  });

  it('is this server too when a call imports it later', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': `export default { name: 'cases', actions: [{ name: 'look_up', description: 'Looks up.',
        parameters: { type: 'object' },
        async execute() { const { card } = await import('helper'); return card(1, {}); } }] };`,
    });
    const result = await toolNamed(await bench.loadOne(), 'look_up').execute({}, toolContext());
    expect(result).toEqual({ value: 1, card: {} });
  });

  it('a plugin uses the packages of its own node_modules, and they keep their own helper', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': `import { answer, ownHelper } from 'answers';
        export default { name: 'cases', actions: [{ name: 'look_up', description: 'Looks up.',
          parameters: { type: 'object' }, execute: () => ({ answer, ownHelper }) }] };`,
      'cases/node_modules/answers/package.json': '{"name":"answers","type":"module","exports":"./index.js"}',
      'cases/node_modules/answers/index.js': "import name from 'helper';\nexport const answer = 42, ownHelper = name;",
      'cases/node_modules/helper/package.json': '{"name":"helper","type":"module","exports":"./index.js"}',
      'cases/node_modules/helper/index.js': "export default 'another package';",
    });
    const result = await toolNamed(await bench.loadOne(), 'look_up').execute({}, toolContext());
    expect(result.value).toEqual({ answer: 42, ownHelper: 'another package' });
  });

  it('a plugin may itself be installed in a node_modules folder', async () => {
    const bench = await PluginWorkbench.open({ 'node_modules/@acme/cases/index.mjs': usesCard });
    const plugin = await bench.loadOne({ directories: ['plugins/node_modules/@acme'] });
    const result = await toolNamed(plugin, 'look_up').execute({}, toolContext());
    expect(result.card).toEqual({ type: 'AdaptiveCard' });
  });
});
