import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testLimitMs } from '../support/patience-limit.ts';
import { tier } from '../support/run/tier.ts';

const root = join(import.meta.dirname, '../..');

/** What a page of an application and a program around the server write. */
const page = `
import type { HelperWidgetApi, PageAction } from 'helper/widget';
import { createHelper, defineAction, definePlugin } from 'helper';

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
`;

/** Builds and packs a copy, since a build begins with an empty folder, and unpacks it as npm installs it. */
function installed(): string {
  const work = mkdtempSync(join(tmpdir(), 'helper-package-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const [copy, project] = [join(work, 'copy'), join(work, 'project')];
  mkdirSync(copy);
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json', 'README.md', 'LICENSE'];
  for (const name of [...files, 'src', 'scripts', 'config', 'plugins'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.ts', '--types'], { cwd: copy, stdio: 'pipe' });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: copy, stdio: 'pipe' });
  const archive = readdirSync(work).find((name) => name.endsWith('.tgz'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'helper'), { recursive: true });
  execFileSync('tar', ['-xzf', join(work, String(archive)), '-C', join(modules, 'helper'), '--strip-components=1']);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return project;
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

describe('the packed package (docs/guides/widget.md)', () => {
  // It builds the whole package anew, for a minute of one processor.
  it.skipIf(tier === 'short')(
    'has the types of pages and of programs, for both ways to resolve modules',
    { timeout: 2 * testLimitMs },
    () => {
      const project = installed();
      writeFileSync(join(project, 'package.json'), '{"type": "module"}');
      writeFileSync(join(project, 'page.ts'), page);
      expect(compiled(project, '--module', 'nodenext')).toBe('');
      expect(compiled(project, '--module', 'esnext', '--moduleResolution', 'bundler')).toBe('');
    },
  );
});
