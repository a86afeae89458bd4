/**
 * Builds `dist/`: the server as a few bundled JavaScript files (nearly all packages stay in node_modules), the widget's chunks and the
 * dashboard. With `--types` it adds the declarations for plugin authors. `--if-stale` does nothing when no input is newer than the
 * output.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { keepPublicTypes } from './public-types.ts';

const root = join(import.meta.dirname, '..');
const output = join(root, 'dist');
const stamp = join(output, '.built');
const inputs = ['src', 'scripts', 'package-lock.json', 'package.json'];

/** Builds unless the output is newer than all of its inputs, and says so, because the screen would stay empty for seconds. */
export async function buildIfStale(): Promise<void> {
  if (isFresh()) return;
  const begun = performance.now();
  console.error('Building the server, the widget and the dashboard. Later starts skip this.');
  await build({ types: false });
  console.error(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}

/** Removes the output and builds it again. */
export async function build(options: { readonly types: boolean }): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  // The bundlers are loaded only here, so that a start with a fresh build does not pay for them.
  const { buildWidget } = await import('./build-widget.ts');
  const { buildDashboard } = await import('./build-dashboard.ts');
  await Promise.all([
    buildServer(),
    buildPatternWorker(),
    buildWidget({ root, outdir: join(output, 'widget') }),
    buildDashboard({ root, outdir: join(output, 'dashboard') }),
  ]);
  if (options.types) {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.types.json')], { stdio: 'inherit' });
    keepPublicTypes(join(output, 'types'), typesOfPackage());
  }
  linkCommand();
  writeFileSync(stamp, '');
}

/**
 * Makes `npx helper` this server everywhere below the clone, as it is below a folder that has the package installed. In a project inside the
 * clone npx would otherwise ask the registry for a package of that name, which is a stranger's.
 */
function linkCommand(): void {
  const commands = join(root, 'node_modules/.bin');
  chmodSync(join(output, 'main.js'), 0o755);
  if (process.platform === 'win32' || !existsSync(commands)) return;
  const link = join(commands, 'helper');
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync('../../dist/main.js', link);
}

/** The declarations that `exports` of package.json names. */
function typesOfPackage(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types: string }>>;
  };
  return Object.values(exports).map(({ types }) => relative(join(output, 'types'), join(root, types)));
}

async function buildServer(): Promise<void> {
  const esbuild = await import('esbuild');
  const { checksAsSource } = await import('./written-checks.ts');
  await esbuild.build({
    entryPoints: {
      main: join(root, 'src/main.ts'),
      index: join(root, 'src/index.ts'),
      // The worker stands beside the chunk that starts it as a thread.
      'chunks/storage-worker': join(root, 'src/adapters/stores/embedded/worker/storage-worker.ts'),
      'chunks/knowledge-index': join(root, 'src/adapters/knowledge/files/worker/index-worker.ts'),
      // The reader of folders runs in a process of its own, and its watch is a thread of that process.
      'chunks/knowledge-reader': join(root, 'src/adapters/knowledge/files/reader/file-reader.ts'),
      'chunks/knowledge-reader-watch': join(root, 'src/adapters/knowledge/files/reader/reader-watch.ts'),
      'chunks/openapi-reader': join(root, 'src/adapters/openapi/document/document-reader.ts'),
    },
    outdir: output,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: packagesLeftOut(),
    plugins: [checksAsSource()],
    sourcemap: 'linked',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  });
}

/**
 * Builds the worker that checks patterns, together with its package. It runs in a thread of its own, and a thread is started by a file's
 * name.
 */
async function buildPatternWorker(): Promise<void> {
  const esbuild = await import('esbuild');
  await esbuild.build({
    entryPoints: [join(root, 'src/adapters/shared/patterns/pattern-worker.ts')],
    outdir: output,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'eof',
    logLevel: 'warning',
  });
}

/** The packages that stay in node_modules. The query builder is bundled: reading its 256 files took 60 ms and 15 MiB at each start. */
function packagesLeftOut(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies).filter((name) => name !== 'kysely');
}

function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return inputs.every((input) => newestChange(join(root, input)) <= built);
}

function newestChange(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestChange(join(path, name))), entry.mtimeMs);
}

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await buildIfStale();
  else await build({ types: process.argv.includes('--types') });
}
