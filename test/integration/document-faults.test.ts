import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FilesSourceState } from '../../src/adapters/knowledge/files/files-source.ts';
import { openFolder, openFolders, temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { bombDocx, bombPdf, docxOf, pdfOf } from '../support/office-files.ts';

type Told = FilesSourceState & { readonly mostMiB: number };

/** A server process with one folder, and the state that it has told last. */
function startServer(folder: string, index: string) {
  const program = join(import.meta.dirname, '../support/folder-process.ts');
  const child = spawn(process.execPath, [program, folder, index], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HELPER_PLANTED: 'planted-secret' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const told: Told[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => told.push(JSON.parse(line) as Told));
  return {
    child,
    /** Resolves with the first state for which `isWanted` is true. */
    until: async (isWanted: (state: Told) => boolean): Promise<Told> => {
      for (;;) {
        const found = told.find(isWanted);
        if (found !== undefined) return found;
        await once(lines, 'line');
      }
    },
  };
}

/** The processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${String(pid)}/task`)
    .flatMap((task) =>
      readFileSync(`/proc/${String(pid)}/task/${task}/children`, 'utf8')
        .trim()
        .split(' '),
    )
    .filter((child) => child !== '')
    .map(Number);
}

function manyDocuments(count: number): Readonly<Record<string, string>> {
  const text = 'Some words stand here, and some more of them behind these. '.repeat(60);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${String(index)}.md`,
      `# Number ${String(index)}\n\n${text} unique${String(index)}`,
    ]),
  );
}

describe('bad files in a folder (contract/document-folders.md#bad-files)', () => {
  // proves service-2.11-70
  it('are named with their reason and left out, all others are served, and the server stays under 250 MiB', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    const alias = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(',')}]\n`;
    const bomb = alias('a', 'x') + alias('b', '*a') + alias('c', '*b') + alias('d', '*c') + alias('e', '*d');
    writeFiles(folder, {
      'good.pdf': pdfOf('A quokka hops.'),
      'good.docx': docxOf('Quokkas', 'A quokka jumps.'),
      'good.markdown': 'A quokka eats.',
      'bomb.pdf': bombPdf(800),
      'bomb.docx': bombDocx(200),
      'liar.docx': bombDocx(600, 1_000),
      'noise.pdf': Buffer.from('%PDF-1.7 and then nothing'),
      'noise.docx': Buffer.from('PK but no archive at all'),
      'deep.html': `${'<div>'.repeat(200_000)}A quokka dives.${'</div>'.repeat(200_000)}`,
      'formatted.html': '<p><b>'.repeat(600_000),
      'line.txt': Buffer.alloc(50 * 1024 * 1024, 'quokka '),
      'long.txt': 'quokka '.repeat(400_000),
      'cyrillic.txt': Buffer.from('\xef\xf0\xe8\xe2\xe5\xf2 \xf3', 'latin1'),
      'zeros.txt': Buffer.alloc(1_000),
      'yaml.markdown': `---\n${bomb}---\nA quokka`,
      'nested.markdown': `---\na: ${'['.repeat(20_000)}\n---\nA quokka`,
      'two\nlines.markdown': 'A quokka',
      'empty.markdown': '',
    });
    symlinkSync('/etc/passwd', join(folder, 'passwd.txt'));
    execFileSync('mkfifo', [join(folder, 'pipe.markdown')]);
    mkdirSync(join(folder, 'folder.markdown'));
    const server = startServer(folder, index);
    const { faults, documents, mostMiB } = await server.until(({ phase }) => phase !== 'indexing');
    expect(Object.fromEntries(faults.map(({ file, reason }) => [file, reason]))).toEqual({
      'bomb.pdf': expect.stringMatching(/took more than 400 MiB of memory|took longer to read/),
      'bomb.docx': 'unpacks to more than 50 MiB',
      'liar.docx': 'has a part that is larger than it says',
      'noise.pdf': 'is not a valid PDF',
      'noise.docx': 'is not a valid Word document',
      'formatted.html': expect.stringMatching(/took more than 400 MiB of memory|took longer to read/),
      'line.txt': 'is larger than 20 MiB',
      'long.txt': 'holds more than 2,000,000 characters',
      'cyrillic.txt': 'is not valid utf-8 text',
      'zeros.txt': 'is not text',
      'yaml.markdown': 'has YAML that expands to too much in its front matter',
      'nested.markdown': expect.stringMatching(
        /^has YAML that (?:is not valid|expands to too much) in its front matter$/,
      ),
      'two\nlines.markdown': 'has a name with characters that names must not have',
      'empty.markdown': 'holds no text',
      'passwd.txt': 'is a link out of the folder',
      'pipe.markdown': 'is not a regular file',
    });
    expect(documents).toBe(4);
    expect(mostMiB).toBeLessThan(250);
  });

  // proves service-2.11-74
  it('that cost too much are named once, and read when they have changed', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, { 'bomb.pdf': bombPdf(800), 'good.markdown': 'A quokka eats.' });
    const first = await openFolder(folder, { index });
    expect(first.faults()).toEqual({ 'bomb.pdf': 'took more than 400 MiB of memory to read' });
    writeFiles(folder, { 'more.markdown': 'A quokka sleeps.' });
    await first.until(() => first.source.state.documents === 2);
    await first.source.close();
    expect(first.logged('a document is left out')).toHaveLength(1);
    writeFiles(folder, { 'bomb.pdf': pdfOf('A quokka hops.') });
    const second = await openFolder(folder, { index });
    expect(second.faults()).toEqual({});
    expect(await second.titles('quokka', null, 9)).toHaveLength(3);
  });
});

describe('an index (contract/document-folders.md#index)', () => {
  // proves service-2.11-77
  it('whose folder has gone fails until it is back, and makes none in its place', async () => {
    const [folder, index] = [temporaryFolder(), join(temporaryFolder(), 'gone')];
    writeFiles(folder, { 'a.markdown': 'A quokka hops.' });
    const opened = await openFolder(folder, { index });
    expect(opened.source.state.phase).toBe('failed');
    expect(existsSync(index)).toBe(false);
    mkdirSync(index);
    await vi.waitUntil(() => opened.source.state.phase === 'ready');
    expect(await opened.titles('quokka')).toHaveLength(1);
  });
});

describe('the process that reads (contract/document-folders.md#bad-files)', () => {
  // proves service-2.11-73
  it.runIf(existsSync('/proc'))(
    'has no environment and no right to write or to start programs, and ends with the server that is killed',
    async () => {
      const [folder, index] = [temporaryFolder(), temporaryFolder()];
      writeFiles(folder, manyDocuments(400));
      const server = startServer(folder, index);
      const { pid = 0 } = server.child;
      await server.until(({ chunks }) => chunks > 0);
      const [reader = 0] = childrenOf(pid);
      expect(reader).not.toBe(0);
      expect(readFileSync(`/proc/${String(pid)}/environ`, 'utf8')).toContain('planted-secret');
      expect(readFileSync(`/proc/${String(reader)}/environ`, 'utf8')).not.toMatch(/planted|PATH|HOME/);
      const rights = readFileSync(`/proc/${String(reader)}/cmdline`, 'utf8').split('\0');
      expect(rights.filter((right) => /^--(?:permission|allow)/.test(right))).toEqual([
        '--permission',
        '--allow-fs-read=*',
        '--allow-worker',
      ]);
      server.child.kill('SIGKILL');
      await vi.waitFor(
        () => {
          expect(existsSync(`/proc/${String(reader)}`)).toBe(false);
        },
        { interval: 20 },
      );
    },
  );

  // proves service-2.11-75
  it.runIf(existsSync('/proc'))('is one for all folders', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, manyDocuments(200));
    const before = childrenOf(process.pid).length;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, childrenOf(process.pid).length - before)), 5);
    const all = await openFolders([folder, folder, folder], index);
    clearInterval(watch);
    expect(all.map(({ state }) => state.documents)).toEqual([200, 200, 200]);
    expect(most).toBe(1);
  });

  it.runIf(existsSync('/proc'))(
    'that is killed from outside costs one file at most, and that one is named',
    async () => {
      const [folder, index] = [temporaryFolder(), temporaryFolder()];
      writeFiles(folder, manyDocuments(400));
      const server = startServer(folder, index);
      await server.until(({ chunks }) => chunks > 0);
      const [reader = 0] = childrenOf(server.child.pid ?? 0);
      process.kill(reader, 'SIGKILL');
      const { documents, faultCount } = await server.until(({ phase }) => phase === 'ready');
      expect(documents + faultCount).toBe(400);
      expect(faultCount).toBeLessThanOrEqual(1);
    },
  );
});

describe('a server that is killed while it indexes (contract/document-folders.md#index)', () => {
  // proves service-2.11-66
  it.each([1, 200, 700])('with %s parts written, loses none of them, and goes on', async (written) => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, manyDocuments(300));
    const server = startServer(folder, index);
    await server.until(({ chunks }) => chunks >= written);
    server.child.kill('SIGKILL');
    await new Promise((resolve) => server.child.once('exit', resolve));
    const file = join(index, readdirSync(index).find((name) => name.endsWith('.sqlite')) ?? '');
    const database = new SqliteDatabase(file);
    const kept = Number(database.prepare('select count(*) from chunk').pluck().get());
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    expect(kept).toBeGreaterThanOrEqual(written);
    const docs = await openFolder(folder, { index });
    expect(docs.source.state).toMatchObject({ phase: 'ready', documents: 300, faults: [] });
    expect(docs.logged('the index of documents is damaged: it is made anew')).toEqual([]);
    for (const number of [0, 150, 299])
      expect(await docs.titles(`unique${String(number)}`, null, 1)).toEqual([`Number ${String(number)}`]);
  });
});
