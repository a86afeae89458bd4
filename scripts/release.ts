/**
 * `npm run release -- 1.1.0`: the section of the changelog, the version in every file that names it, the generated files, one commit and its
 * tag, and in `release/` what is given out: the package, the chart, the list of packages, and their checksums. Nothing is pushed.
 * With `--dry-run` all of it is done in a copy, shown, and thrown away.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkLater, filesWithVersion, withSection, withVersion } from './release/versions.ts';

const root = join(import.meta.dirname, '..');

function release(folder: string, to: string): void {
  const run = (command: string, ...words: readonly string[]): string =>
    execFileSync(command, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (run('git', 'status', '--porcelain') !== '') throw new Error('there are changes that are not committed');
  const { version: from } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  checkLater(from, to);
  write(folder, { from, to });
  run('npm', 'run', '--silent', 'generate');
  run('git', 'commit', '--quiet', '--all', '--message', `chore(release): ${to}`);
  run('git', 'tag', '--annotate', `v${to}`, '--message', `Helper ${to}`);
  pack(folder, to, run);
  console.log(run('git', 'show', '--stat', '--format=%s', 'HEAD'));
  console.log(readFileSync(join(folder, 'release/SHA256SUMS'), 'utf8'));
}

function write(folder: string, versions: { readonly from: string; readonly to: string }): void {
  const changelog = join(folder, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), versions.to, day));
  for (const path of globSync(filesWithVersion, { cwd: folder })) {
    const before = readFileSync(join(folder, path), 'utf8');
    const after = withVersion(path, before, versions);
    if (after !== before) writeFileSync(join(folder, path), after);
  }
}

type Run = (command: string, ...words: readonly string[]) => string;

/** The archives carry the time of the commit, so that they can be made again and compared. */
function pack(folder: string, version: string, run: Run): void {
  const output = join(folder, 'release');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  run('npm', 'run', '--silent', 'build');
  run('npm', 'pack', '--silent', '--pack-destination', output);
  run('npm', 'run', '--silent', 'sbom');
  cpSync(join(folder, 'dist/sbom.cdx.json'), join(output, 'sbom.cdx.json'));
  const time = `@${run('git', 'log', '-1', '--format=%ct').trim()}`;
  const same = [
    '--sort=name',
    `--mtime=${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--use-compress-program=gzip -n',
  ];
  run('tar', ...same, '-C', join(folder, 'charts'), '-cf', join(output, `helper-${version}.tgz`), 'helper');
  const sums = readdirSync(output)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(output, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(output, 'SHA256SUMS'), sums.join(''));
}

function tryRelease(version: string): void {
  const work = mkdtempSync(join(tmpdir(), 'helper-release-'));
  try {
    const copy = join(work, 'helper');
    execFileSync('git', ['clone', '--quiet', root, copy]);
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    writeFileSync(join(copy, '.git/info/exclude'), 'node_modules\n');
    for (const [key, value] of [
      ['user.name', 'Dry run'],
      ['user.email', 'dry-run@localhost'],
    ] as const)
      execFileSync('git', ['config', key, value], { cwd: copy });
    release(copy, version);
    console.log('This was a dry run: nothing was changed.');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const [version, ...options] = process.argv.slice(2);
if (version === undefined || options.some((option) => option !== '--dry-run')) {
  console.error('Usage: npm run release -- VERSION [--dry-run]');
  process.exit(64);
}
try {
  if (options.length > 0) tryRelease(version);
  else release(root, version);
} catch (error) {
  console.error(`No release: ${error instanceof Error ? error.message : String(error)}.`);
  process.exit(1);
}
