import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testLimitMs } from '../../support/patience-limit.ts';
import { tier } from '../../support/run/tier.ts';

const root = join(import.meta.dirname, '../../..');
const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' });

describe('npm run release (CONTRIBUTING.md, "Releases")', () => {
  // It builds the whole package anew, for a minute of one processor.
  it.skipIf(tier === 'short')(
    'makes the package, the chart, the list of packages and their checksums, and dry it changes nothing here',
    { timeout: 4 * testLimitMs },
    () => {
      const before = git('status', '--porcelain') + git('tag');
      const printed = execFileSync(process.execPath, ['scripts/release.ts', '99.1.2', '--dry-run'], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(printed).toContain('chore(release): 99.1.2\n');
      for (const file of [
        'CHANGELOG.md',
        'package.json',
        'package-lock.json',
        'charts/helper/Chart.yaml',
        'Dockerfile',
      ])
        expect(printed).toMatch(new RegExp(String.raw`^ ${file.replace('.', String.raw`\.`)} +\| +\d`, 'm'));
      for (const file of ['helper-99.1.2.tgz', 'helper-server-99.1.2.tgz', 'sbom.cdx.json'])
        expect(printed).toMatch(new RegExp(String.raw`^[0-9a-f]{64}  ${file.replaceAll('.', String.raw`\.`)}$`, 'm'));
      expect(git('status', '--porcelain') + git('tag')).toBe(before);
    },
  );

  it('refuses what is not a later version, and changes nothing', () => {
    const release = (version: string): unknown =>
      execFileSync(process.execPath, ['scripts/release.ts', version, '--dry-run'], { cwd: root, stdio: 'pipe' });
    expect(() => release('0.1.0')).toThrow('No release: 0.1.0 is not later than');
  });
});
