import { describe, expect, it } from 'vitest';
import { pluginSource, PluginWorkbench } from '../../unit/adapters/plugin-directory/plugin-workbench.ts';

/** The reports about a directory that has these files beside a good plugin. */
async function overlookedWith(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const bench = await PluginWorkbench.open({ 'good/index.js': pluginSource('good'), ...files });
  await bench.load();
  return bench.overlooked.map((text) => text.replaceAll(`${bench.path('')}/`, ''));
}

describe('what looks like a plugin and is none (contract/configuration.md#commands)', () => {
  // proves extending-1-08
  it('a directory without a plugin is said, with what makes one (HLP1015)', async () => {
    const bench = await PluginWorkbench.open({ 'notes.md': 'Nothing here.' });
    expect(await bench.load()).toEqual([]);
    expect(bench.overlooked).toEqual([
      `HLP1015 ${bench.path('').replace(/\/$/, '')} holds no plugin. A plugin is a folder with an index.js, index.mjs or index.ts, or a file called NAME.plugin.js, .mjs or .ts.`,
    ]);
  });

  it.each([
    // proves extending-1-08
    ['orders.js', 'call it orders.plugin.js if'],
    ['orders.ts', 'call it orders.plugin.ts if'],
    ['orders.mjs', 'call it orders.plugin.mjs if'],
    ['orders.cjs', 'call it orders.plugin.mjs if'],
    ['orders.mts', 'call it orders.plugin.ts if'],
    ['orders.plugin.cjs', 'call it orders.plugin.mjs if'],
    ['orders/main.js', 'orders is not loaded: a folder is a plugin when it has an index.js'],
    ['orders/package.json', 'orders is not loaded: a folder is a plugin when it has an index.js'],
  ])('%s is not loaded, and it is said what to do (HLP1014)', async (file, advice) => {
    const [said = '', ...more] = await overlookedWith({
      [file]: file.endsWith('.json') ? '{}' : pluginSource('orders'),
    });
    expect(said).toMatch(/^HLP1014 orders/);
    expect(said).toContain(advice);
    expect(more).toEqual([]);
  });

  it('an entry that lies one folder too deep is said, with where to put it (HLP1014)', async () => {
    expect(await overlookedWith({ 'orders/src/index.ts': pluginSource('orders') })).toEqual([
      'HLP1014 orders is not loaded: its index.ts lies in src. Put it into the folder itself, or name it as main in a package.json there.',
    ]);
  });

  it('a second entry of a folder is said not to be loaded (HLP1014)', async () => {
    const files = {
      'orders/index.js': "export default { name: 'orders' };",
      'orders/index.ts': pluginSource('orders'),
    };
    expect(await overlookedWith(files)).toEqual([
      'HLP1014 orders/index.js is the plugin, and index.ts beside it is not loaded: delete one of them.',
    ]);
  });

  it.each([
    ['README.md', 'Read me.'],
    ['types.d.ts', 'export {};'],
    ['good.test.ts', 'export {};'],
    ['vitest.config.js', 'export {};'],
    ['docs/orders.md', 'Text.'],
    ['package.json', '{}'],
    ['.hidden.js', 'export {};'],
  ])('of %s nothing is said', async (file, text) => {
    expect(await overlookedWith({ [file]: text })).toEqual([]);
  });
});

describe('a syntax error of a plugin (contract/configuration.md#faults)', () => {
  it.each([
    ['cases/index.js', {}],
    ['cases.plugin.mjs', {}],
    ['cases/lib/deep.js', { 'cases/index.js': "import './lib/deep.js';" }],
  ])('names file and line: %s', async (file, more: Record<string, string>) => {
    const bench = await PluginWorkbench.open({ [file]: 'const a = 1;\nexport default {\n  name cases\n};\n', ...more });
    expect(await bench.faults()).toEqual([
      expect.objectContaining({
        file: bench.path(file),
        line: 3,
        message: "failed to load: Unexpected identifier 'cases'",
      }),
    ]);
  });

  it('names file and line of TypeScript', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.ts': 'const a: number = 1;\nexport default {\n  name cases\n};\n',
    });
    expect(await bench.faults()).toEqual([expect.objectContaining({ file: bench.path('cases/index.ts'), line: 3 })]);
  });

  it('is not looked for where a name is missing that another module should export', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': "import { gone } from './other.js';",
      'cases/other.js': 'export const here = 1;',
    });
    expect(await bench.faults()).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("does not provide an export named 'gone'") as string,
      }),
    ]);
  });
});
