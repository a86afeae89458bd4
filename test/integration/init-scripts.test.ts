import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Package {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Installs the built package into a folder. Its dependencies are those of this project. */
function installedAt(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ['dist', 'config', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist/main.js');
}

/** Runs `helper init mine` in `folder`. */
function init(main: string, folder: string): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, [main, 'init', 'mine'], { cwd: folder, encoding: 'utf8' });
}

function npmRun(folder: string, script: string): { readonly status: number | null; readonly stdout: string } {
  return spawnSync('npm', ['run', script], { cwd: folder, encoding: 'utf8' });
}

const packageOf = (folder: string): Package =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package; // written by init
const finding = /list_tasks +reads +does not ask/;

describe('helper init beside a package.json that is there (contract/configuration.md#commands)', () => {
  it('says which scripts to add, under names that are free, and they work as they are printed', () => {
    const folder = testFolder();
    const mine = join(folder, 'mine');
    mkdirSync(mine);
    const before = JSON.stringify({ name: 'shop', type: 'commonjs', scripts: { start: 'node shop.js' } });
    writeFileSync(join(mine, 'package.json'), before);
    const { status, stdout } = init(installedAt(join(folder, 'clone')), folder);
    expect(status).toBe(0);
    expect(readFileSync(join(mine, 'package.json'), 'utf8')).toBe(before);
    const [, printed = ''] = /you may add\n((?: {4}".*\n)+)/.exec(stdout) ?? [];
    const scripts = JSON.parse(`{${printed}}`) as Record<string, string>;
    expect(Object.keys(scripts)).toEqual(['helper:start', 'dev', 'check']);
    writeFileSync(join(mine, 'package.json'), JSON.stringify({ ...(JSON.parse(before) as object), scripts }));
    expect(npmRun(mine, 'check').stdout).toMatch(finding);
  });
});

describe('the scripts that helper init writes (contract/configuration.md#commands)', () => {
  it('find a server whose path has what a shell would read', () => {
    const folder = testFolder();
    const main = installedAt(join(folder, `it's $HOME "here" \`now\``));
    expect(init(main, folder).status).toBe(0);
    expect(npmRun(join(folder, 'mine'), 'check').stdout).toMatch(finding);
  });

  it('outlive the cache of npx: they call the command that the project installs', async () => {
    const folder = testFolder();
    const cache = join(folder, '_npx', 'abc');
    const main = installedAt(join(cache, 'node_modules/helper-server'));
    // npm records in this form which package it was asked for.
    writeFileSync(
      join(cache, 'package.json'),
      JSON.stringify({ dependencies: { 'helper-server': 'file:../../helper-server-1.0.0.tgz' } }),
    );
    writeFileSync(join(folder, 'helper-server-1.0.0.tgz'), 'an archive');
    const { status, stdout } = init(main, folder);
    expect(status).toBe(0);
    expect(stdout).toContain('cd mine && npm install && npm start\n');
    const mine = join(folder, 'moved');
    renameSync(join(folder, 'mine'), mine);
    expect(packageOf(mine).dependencies).toEqual({ 'helper-server': 'file:helper-server-1.0.0.tgz' });
    expect(readFileSync(join(mine, 'helper-server-1.0.0.tgz'), 'utf8')).toBe('an archive');
    expect(readFileSync(join(mine, 'README.md'), 'utf8')).toContain('npm install\nnpm start\n');
    rmSync(join(folder, '_npx'), { recursive: true });
    // This does what `npm install` does with the dependency.
    chmodSync(installedAt(join(mine, 'node_modules/helper-server')), 0o755);
    mkdirSync(join(mine, 'node_modules/.bin'));
    symlinkSync('../helper-server/dist/main.js', join(mine, 'node_modules/.bin/helper'));
    expect(npmRun(mine, 'check').stdout).toMatch(finding);
    const dev = spawn('npm', ['run', 'dev'], {
      cwd: mine,
      env: { ...process.env, HELPER__SERVER__PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    let printed = '';
    dev.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const gone = once(dev, 'close');
    await expect.poll(() => printed).toMatch(/"demoPage":"http/);
    process.kill(-(dev.pid ?? 0), 'SIGKILL');
    await gone;
  });

  it('want an install of the same archive where a package.json is there', () => {
    const folder = testFolder();
    const main = installedAt(join(folder, 'tools/node_modules/helper-server'));
    const noted = { dependencies: { 'helper-server': 'file:../helper-server-1.0.0.tgz' } };
    writeFileSync(join(folder, 'tools/package.json'), JSON.stringify(noted));
    writeFileSync(join(folder, 'helper-server-1.0.0.tgz'), 'an archive');
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/package.json'), '{"type":"module"}');
    const { stdout } = init(main, folder);
    expect(stdout).toContain(
      'cd mine && npm install ./helper-server-1.0.0.tgz && npx helper start --config helper.yaml\n',
    );
    expect(readFileSync(join(folder, 'mine/helper-server-1.0.0.tgz'), 'utf8')).toBe('an archive');
    expect(stdout).toContain('"start": "helper start --config helper.yaml"');
    expect(existsSync(join(folder, 'mine/plugins/tasks/package.json'))).toBe(false);
  });

  it('name no package that npm would ask a registry for where nothing says what was installed', () => {
    const folder = testFolder();
    expect(init(installedAt(join(folder, 'lib/node_modules/helper-server')), folder).status).toBe(0);
    expect(packageOf(join(folder, 'mine')).dependencies).toBeUndefined();
  });
});
