import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testLimitMs } from '../support/patience-limit.ts';
import { tier } from '../support/run/tier.ts';

const root = join(import.meta.dirname, '../..');

/** What a page of an application and a program around the server write. */
const page = `
import type { HelperWidgetApi, PageAction } from 'helper-server/widget';
import { createHelper, defineAction, definePlugin, helperPlugin } from 'helper-server';

const action: PageAction = { description: 'Shows an order.', parameters: { type: 'object' }, handler: () => 'shown' };
export async function offer(widget: HelperWidgetApi): Promise<void> {
  await widget.init({ theme: 'dark', botName: document.title });
  await widget.registerAction('show', action);
  // @ts-expect-error A colour is a text.
  await widget.init({ primaryColor: 5 });
}
if (window.HelperWidget !== undefined && 'init' in window.HelperWidget) void offer(window.HelperWidget);

const parameters = { type: 'object', properties: {} } as const;
const look = defineAction({ name: 'look', description: 'Looks.', parameters, readOnly: true, execute: () => 1 });
export const plugin = definePlugin({ name: 'desk', actions: [look] });
export const helper = createHelper({ config: 'helper.yaml' });
export const mounted = helperPlugin;
`;

/** Builds a copy, since a build begins with an empty folder, and packs it. @returns the path of the archive. */
function packed(work: string): string {
  const copy = join(work, 'copy');
  mkdirSync(copy);
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json', 'README.md', 'LICENSE'];
  for (const name of [...files, 'src', 'scripts', 'config', 'plugins'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.ts', '--types'], { cwd: copy, stdio: 'pipe' });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: copy, stdio: 'pipe' });
  return join(work, readdirSync(work).find((name) => name.endsWith('.tgz')) ?? '');
}

/** Installs the archive as a user does, in an empty folder. @returns that folder. */
function installed(): string {
  const work = mkdtempSync(join(tmpdir(), 'helper-package-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const project = join(work, 'project');
  mkdirSync(project);
  const archive = packed(work);
  copyFileSync(archive, join(project, basename(archive)));
  const install = ['install', `./${basename(archive)}`, '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', install, { cwd: project, stdio: 'pipe' });
  return project;
}

/** The environment of a machine whose registry answers nobody: what asks it fails. */
const offline = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };

const run = (folder: string, command: string, ...words: readonly string[]): string =>
  execFileSync(command, words, { cwd: folder, env: offline, encoding: 'utf8', stdio: 'pipe' });

/** Starts the server of a project with `npm start`, on a free port. @returns what it says of its health, once it says so. */
async function started(project: string): Promise<unknown> {
  const server = spawn('npm', ['start'], {
    cwd: project,
    env: { ...offline, HELPER__SERVER__PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const gone = once(server, 'close');
  try {
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed).toMatch(/"demoPage":"http/);
    const [, address = ''] = /"demoPage":"(http:[^"]+)"/.exec(printed) ?? [];
    return await (await fetch(new URL('/healthz', address))).json();
  } finally {
    process.kill(-(server.pid ?? 0), 'SIGKILL');
    await gone;
  }
}

/** What the compiler says. Empty: nothing. */
function compiled(project: string, ...options: readonly string[]): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const all = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--skipLibCheck', ...options];
  try {
    return execFileSync(process.execPath, [compiler, ...all, 'page.ts'], { cwd: project, encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

describe('the packed package (docs/guides/installation.md)', () => {
  // It builds the whole package anew and installs it, for two minutes of one processor.
  it.skipIf(tier === 'short')(
    'is installed from its archive: types, a new project, and that project on another machine',
    { timeout: 4 * testLimitMs },
    async () => {
      const project = installed();
      writeFileSync(join(project, 'page.ts'), page);
      expect(compiled(project, '--module', 'esnext', '--moduleResolution', 'bundler')).toBe('');
      expect(compiled(project, '--module', 'nodenext')).toBe('');

      expect(run(project, 'npx', 'helper', 'init', 'mine')).toContain('cd mine && npm install && npm start\n');
      expect(run(project, 'npx', 'helper', 'check', '--config', 'mine/helper.yaml')).toMatch(/list_tasks +reads/);
      const mine = join(project, '..', 'elsewhere');
      renameSync(join(project, 'mine'), mine);
      execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent'], { cwd: mine });
      rmSync(project, { recursive: true });
      expect(run(mine, 'npm', 'run', 'check')).toMatch(/list_tasks +reads/);
      expect(await started(mine)).toMatchObject({ status: 'ok' });
    },
  );
});

describe('a clone (docs/guides/installation.md)', () => {
  it('has `npx helper` everywhere below it, and no registry is asked for a package of that name', () => {
    const work = mkdtempSync(join(root, 'node_modules/.cache-of-clone-'));
    onTestFinished(() => rmSync(work, { recursive: true, force: true }));
    expect(run(root, 'npx', 'helper', 'version')).toMatch(/^helper \d/);
    expect(run(work, 'npx', 'helper', 'init', 'mine')).toContain('npx helper start --config mine/helper.yaml\n');
    expect(run(join(work, 'mine'), 'npx', 'helper', 'check', '--config', 'helper.yaml')).toMatch(/list_tasks +reads/);
  });
});
