import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that the test fills. It is deleted after the test. */
export interface TestFolder {
  readonly path: string;
  /** Writes a file, and makes the folders above it. */
  write(name: string, content: string | Uint8Array): void;
}

/** A folder with these files. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'helper-skills-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const write: TestFolder['write'] = (name, content) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { path, write };
}

/** A `SKILL.md`. `more` are further lines of its front matter. */
export function skillText(name: string, more: readonly string[] = [], body = `How to do ${name}.`): string {
  return ['---', `name: ${name}`, `description: Does ${name}.`, ...more, '---', body, ''].join('\n');
}
