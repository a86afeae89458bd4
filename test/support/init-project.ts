import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectFiles } from '../../src/cli/project-files.ts';

/** Writes a project of `helper init` into a folder of the test. Returns the path of its helper.yaml. */
export function initProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { path, content } of projectFiles({ command: 'helper', file: 'dist/main.js' })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return join(folder, 'helper.yaml');
}
