import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { PluginWorkbench } from '../../unit/adapters/plugin-directory/plugin-workbench.ts';

const project = join(import.meta.dirname, '../../..');

/** A built server of which only the plugin loader is left, in a folder laid out like the package. */
async function buildLoader(bench: PluginWorkbench): Promise<string> {
  const packageFolder = join(bench.folder, 'package');
  await mkdir(packageFolder);
  await writeFile(join(packageFolder, 'package.json'), '{"name":"helper","type":"module"}');
  await symlink(join(project, 'node_modules'), join(packageFolder, 'node_modules'));
  await build({
    absWorkingDir: project,
    entryPoints: { index: 'src/plugin-api/index.ts', main: 'src/adapters/plugin-directory/load-plugins.ts' },
    outdir: join(packageFolder, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  return packageFolder;
}

describe('plugins in a built server (contract/plugins.md#plugins)', () => {
  it('share its module, whatever chunk the loader is in, and LangChain stays unloaded while no plugin needs it', async () => {
    const bench = await PluginWorkbench.open({
      'cases.plugin.ts': `import { card } from 'helper';
        export default { name: 'cases', actions: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object', additionalProperties: true },
          execute: (): unknown => card(1, { type: 'AdaptiveCard' }) }] };`,
    });
    const packageFolder = await buildLoader(bench);
    await writeFile(
      join(packageFolder, 'run.js'),
      `import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { loadPlugins } = await import('./dist/main.js');
      const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
      const [plugin] = await loadPlugins({ directories: ['plugins'], configFile: ${JSON.stringify(bench.configFile)},
        pluginOptions: {}, appName: 'Shop', log });
      const result = await plugin.tools[0].execute({}, { log });
      const own = loaded.filter((url) => /(src|dist)\\/index\\./.test(url) && !url.includes('node_modules'));
      console.log(JSON.stringify({ result, own, langchain: loaded.some((url) => url.includes('@langchain')) }));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [join(packageFolder, 'run.js')]);
    expect(JSON.parse(stdout)).toEqual({
      result: { value: 1, card: { type: 'AdaptiveCard' } },
      own: [`file://${packageFolder}/dist/index.js`],
      langchain: false,
    });
  });
});
