import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ReaderProcess } from '../../src/adapters/knowledge/files/worker/reader-process.ts';

/** Reads a file unless it says `long`, which takes too long. Where the folder has a file `once`, another process never gets ready. */
const program = `
  import { existsSync } from 'node:fs';
  process.on('message', ({ id, data }) => {
    const text = Buffer.from(data, 'base64').toString();
    if (text === 'long') process.kill(process.pid, 'SIGTERM');
    else process.send({ kind: 'read', id, residentBytes: 0, result: { kind: 'text', text } });
  });
  if (!existsSync(new URL('./once', import.meta.url))) process.send({ kind: 'ready' });
`;

describe('a file that ends the process that reads it (contract/files.md)', () => {
  // proves service-17-04
  it('because it takes too long is not read again, also where the process has read others before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-reader-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'reader.mjs'), program);
    const reader = new ReaderProcess({ program: pathToFileURL(join(folder, 'reader.mjs')) });
    onTestFinished(() => reader.end());
    const read = (text: string) => reader.readText({ kind: 'text', data: Buffer.from(text).toString('base64') });
    expect(await read('short')).toMatchObject({ kind: 'text', text: 'short' });
    writeFileSync(join(folder, 'once'), '');
    expect(await read('long')).toEqual({ kind: 'unreadable', why: 'costly' });
  });
});
