import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/files.md'), 'utf8');

function block(language: string, holding: string): string {
  const found = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].find(
    ([, name, code]) => name === language && code?.includes(holding),
  );
  return found?.[2] ?? '';
}

describe('the guide to files', () => {
  it('reads a file over plain curl, with the settings of the guide (contract/files.md)', async () => {
    const settings = parse(block('yaml', 'enableFileInput')) as object;
    const { url, model } = await scriptedServer({ scripts: [saying('To ship.')], settings });
    const folder = mkdtempSync(join(tmpdir(), 'helper-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'notes.md'), '# Decided\n\nWe ship on Friday.\n');
    const script = block('sh', '/helper/chat').replace('http://localhost:8080', url);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
    expect(stdout).toContain('To ship.');
    expect(JSON.stringify((await model.request(0)).body)).toContain('We ship on Friday.');
  });
});
