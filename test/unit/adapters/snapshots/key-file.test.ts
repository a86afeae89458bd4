import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptKeys, readKeyFile } from '../../../../src/adapters/snapshots/key-file.ts';
import { readSnapshotKey } from '../../../../src/adapters/snapshots/snapshot-key.ts';

const text = Buffer.alloc(32, 0xfb).toString('base64');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'helper-keys-'));
  onTestFinished(() => {
    rmSync(made, { recursive: true });
  });
  return made;
}

describe('readSnapshotKey (contract/sessions.md#snapshots)', () => {
  it('reads base64 and base64url, with and without padding, as the same key', () => {
    const url = Buffer.from(text, 'base64').toString('base64url');
    expect(text).toContain('+');
    for (const spelling of [url, `${url}=`, text.replace('=', '')]) {
      expect(readSnapshotKey(spelling)).toEqual(readSnapshotKey(text));
    }
  });

  it.each(['', 'short', `${text}AAAA`, 'A'.repeat(42), `${'A'.repeat(42)}!`])('%j is no key', (wrong) => {
    expect(() => readSnapshotKey(wrong)).toThrow('32 bytes');
  });

  it('gives a key a name that says nothing of it', () => {
    const { id, bytes } = readSnapshotKey(text);
    expect(id).toMatch(/^[\w-]{11}$/);
    expect(bytes.includes(Buffer.from(id, 'base64url'))).toBe(false);
    expect(readSnapshotKey(Buffer.alloc(32, 1).toString('base64')).id).not.toBe(id);
  });
});

describe('readKeyFile (contract/sessions.md#snapshots)', () => {
  it('reads its keys in order', async () => {
    const file = join(folder(), 'keys.json');
    const other = Buffer.alloc(32, 1).toString('base64url');
    writeFileSync(file, JSON.stringify({ keys: [text, other] }));
    expect(await readKeyFile(file)).toEqual([readSnapshotKey(text), readSnapshotKey(other)]);
  });

  it.each([
    ['no JSON', text],
    ['a list', JSON.stringify([text])],
    ['no key', '{"keys": []}'],
    ['a key that is none', JSON.stringify({ keys: [text, 'hunter2'] })],
  ])('refuses %s without showing it', async (_title, content) => {
    const file = join(folder(), 'keys.json');
    writeFileSync(file, content);
    const fault: unknown = await readKeyFile(file).catch((error: unknown) => error);
    expect(String(fault)).toContain(`${file} must be {"keys": […]}`);
    expect(String(fault)).not.toContain(text.slice(0, 8));
    expect(String(fault)).not.toContain('hunter2');
  });
});

describe('keptKeys (contract/sessions.md#snapshots)', () => {
  it('makes a key once, for the server’s own user alone, and keeps it', async () => {
    const path = join(folder(), 'data');
    const made = await keptKeys(path);
    expect(made).toHaveLength(1);
    expect(statSync(join(path, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(await keptKeys(path)).toEqual(made);
    expect(readdirSync(path)).toEqual(['keys.json']);
  });

  it('gives two servers that start at once the same key', async () => {
    const path = folder();
    const made = await Promise.all(Array.from({ length: 8 }, () => keptKeys(path)));
    for (const keys of made) expect(keys).toEqual(made[0]);
    expect(readdirSync(path)).toEqual(['keys.json']);
  });

  it('never makes a new key over a file it cannot read', async () => {
    const path = folder();
    writeFileSync(join(path, 'keys.json'), 'damaged');
    await expect(keptKeys(path)).rejects.toMatchObject({ code: 'STORAGE_UNUSABLE' });
    expect(readFileSync(join(path, 'keys.json'), 'utf8')).toBe('damaged');
  });
});
