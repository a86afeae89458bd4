import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { programPath } from '../processes/child-processes.ts';
import type { Product } from './products.ts';

/** What a product needs on a page: its files by their names, and those that the page itself names. */
export interface BuiltPage {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly entries: readonly string[];
}

/**
 * Installs a product outside of this project, once for each choice of versions, without running any script of the packages.
 * @throws when npm cannot.
 */
export function install(product: Product): string {
  const manifest = JSON.stringify({ private: true, dependencies: product.packages });
  const key = createHash('sha256').update(manifest).digest('hex').slice(0, 8);
  const directory = join(tmpdir(), 'helper-bench-widgets', `${product.name}-${key}`);
  const done = join(directory, 'installed');
  if (existsSync(done)) return directory;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), manifest);
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`npm: ${/npm error (?:notarget|404) (.*)/.exec(stderr)?.[1] ?? 'install failed'}`);
  writeFileSync(done, '');
  return directory;
}

/** Builds the page's script as an application would: minified, in production mode, with what is loaded on demand in files of its own. */
export async function buildPage(product: Product, installed: string): Promise<BuiltPage> {
  const outdir = join(installed, 'page');
  const { outputFiles, metafile } = await build({
    entryPoints: [programPath(new URL(`./pages/${product.name}.mjs`, import.meta.url))],
    nodePaths: [join(installed, 'node_modules')],
    alias: Object.fromEntries((product.unexported ?? []).map((path) => [path, join(installed, 'node_modules', path)])),
    outdir,
    absWorkingDir: installed,
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(outdir, path), contents] as const));
  const script = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith(`/${product.name}.mjs`),
  );
  const entries = [script?.[0], script?.[1].cssBundle].flatMap((path) =>
    path === undefined ? [] : [relative(outdir, join(installed, path))],
  );
  return { files, entries };
}
