import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLater, filesWithVersion, withSection, withVersion } from '../../../scripts/release/versions.ts';
import { packageVersion } from '../../../src/app/own-package.ts';

const root = join(import.meta.dirname, '../../..');
const next = { from: packageVersion(), to: '99.1.2' };

describe('the version of a release (CONTRIBUTING.md, "Releases")', () => {
  it('is written wherever this version of the server is named, and nowhere else', () => {
    const changed = globSync(filesWithVersion, { cwd: root }).flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const lines = withVersion(path, text, next).split('\n');
      return text
        .split('\n')
        .flatMap((line, index) => (line === lines[index] ? [] : [`${path}: ${lines[index] ?? ''}`]));
    });
    const others = changed.filter((line) => !line.includes('docs/guides/'));
    expect(others.toSorted()).toEqual(
      [
        'docker-compose.yml:     image: helper:99.1.2',
        'docker-compose.yml:     image: helper:99.1.2',
        'docker-compose.yml:     image: helper:99.1.2',
        'charts/helper/Chart.yaml: version: 99.1.2',
        'charts/helper/Chart.yaml: appVersion: 99.1.2',
        'package.json:   "version": "99.1.2",',
        'package-lock.json:   "version": "99.1.2",',
        'package-lock.json:       "version": "99.1.2",',
        'Dockerfile: ARG VERSION=99.1.2',
      ].toSorted(),
    );
    const pages = changed.filter((line) => line.includes('docs/guides/')).join('\n');
    expect(pages).toContain('npm install ./helper-server-99.1.2.tgz');
    expect(pages).toContain('docker push registry.example.com/helper:99.1.2');
    expect(pages).not.toContain('remote-agents');
  });

  it('leaves no place behind that would name the old one', () => {
    const left = globSync([...filesWithVersion, '*.md', 'docs/**/*.md', 'compose/*'], { cwd: root }).filter((path) =>
      new RegExp(String.raw`helper(?:-server)?[:-]${next.from.replaceAll('.', String.raw`\.`)}`).test(
        withVersion(path, readFileSync(join(root, path), 'utf8'), next),
      ),
    );
    expect(left).toEqual([]);
  });

  it.each([
    ['1.1', '1.1 is no version such as 1.1.0'],
    ['v1.1.0', 'v1.1.0 is no version'],
    ['01.1.0', '01.1.0 is no version'],
    ['1.2.3', '1.2.3 is not later than 1.2.3'],
    ['1.1.9', '1.1.9 is not later than 1.2.3'],
    ['0.9.9', '0.9.9 is not later than 1.2.3'],
  ])('is later than the one before: %s is refused', (version, fault) => {
    expect(() => checkLater('1.2.3', version)).toThrow(fault);
  });

  it.each(['1.2.4', '1.3.0', '2.0.0', '1.10.0'])('may be %s after 1.2.3', (version) => {
    expect(() => checkLater('1.2.3', version)).not.toThrow();
  });
});

describe('the changelog of a release', () => {
  const changelog = '# Changelog\n\nNewest first.\n\n## Unreleased\n\n- A thing.\n\n## 1.0.0 (2026-01-01)\n\n- All.\n';

  it('has what was unreleased as the section of the version, below an empty one', () => {
    expect(withSection(changelog, '1.1.0', '2026-12-01')).toBe(
      '# Changelog\n\nNewest first.\n\n## Unreleased\n\n## 1.1.0 (2026-12-01)\n\n- A thing.\n\n## 1.0.0 (2026-01-01)\n\n- All.\n',
    );
  });

  it('is refused where nothing is unreleased or the section is there', () => {
    expect(() => withSection(changelog.replace('- A thing.\n\n', ''), '1.1.0', 'today')).toThrow('nothing below');
    expect(() => withSection(changelog, '1.0.0', 'today')).toThrow('a section of 1.0.0 already');
  });

  it('of this project can be released', () => {
    const own = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(withSection(own, '99.1.2', '2026-12-01')).toContain('\n## Unreleased\n\n## 99.1.2 (2026-12-01)\n\n- ');
  });
});
