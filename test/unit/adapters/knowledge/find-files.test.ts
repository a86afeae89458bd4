import fs, { type Dir, type Dirent } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFiles } from '../../../../src/adapters/knowledge/files/worker/find-files.ts';
import { temporaryFolder, writeFiles } from '../../../support/document-folder.ts';

/** How often listings of a folder repeat its first entry, by the name of the folder. A folder of so many files takes seconds to write. */
const repeated: Readonly<Record<string, number>> = { crowded: 200_001, full: 20_001 };

const { opendirSync } = fs;

/** A listing whose first entry may be repeated. Listings of folders named "broken" end after two entries. */
function listing(path: fs.PathLike): Dir {
  const directory = opendirSync(path);
  const read = directory.readSync.bind(directory);
  const name = String(path).split('/').at(-1) ?? '';
  const times = repeated[name] ?? 0;
  let count = 0;
  let first: Dirent | null = null;
  directory.readSync = () => {
    count += 1;
    if (count <= times) return (first ??= read());
    if (count > 2 && name === 'broken') throw Object.assign(new Error('broken'), { code: 'EIO' });
    return read();
  };
  return directory;
}

beforeAll(() => {
  vi.spyOn(fs, 'opendirSync').mockImplementation(listing);
  syncBuiltinESMExports();
});

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('files of kinds that are not read (contract/document-folders.md#files)', () => {
  // proves service-2.11-36
  it('are counted, and named with what to do, unless nobody has chosen them', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.markdown': 'a', 'b.XLS': 'b', 'c/d.foo': 'd', e: 'e', 'f.png': 'f' });
    const { files, faults, passedOver } = await findFiles(
      { path: folder, exclude: ['*.png'] },
      new AbortController().signal,
    );
    expect(files.map(({ path }) => path)).toEqual(['a.markdown']);
    expect(faults).toEqual([]);
    expect(passedOver).toEqual({
      count: 3,
      files: [
        { file: 'b.XLS', reason: 'is of a kind that is not read (.xls): save it as .xlsx' },
        { file: 'c/d.foo', reason: 'is of a kind that is not read (.foo)' },
        { file: 'e', reason: 'is of no kind that is read' },
      ],
    });
  });
});

describe('a folder whose listing breaks off (contract/document-folders.md#access)', () => {
  it('is named, and gives nothing of what was listed: facts about it may not have been', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'a.markdown': 'a',
      'broken/b.markdown': 'b',
      'broken/c.markdown': 'c',
      'broken/d/e.markdown': 'e',
      'broken/f.markdown': 'f',
      'g/h.markdown': 'h',
    });
    const { files, faults } = await findFiles({ path: folder }, new AbortController().signal);
    expect(files.map(({ path }) => path)).toEqual(['a.markdown', 'g/h.markdown']);
    expect(faults).toEqual([{ file: 'broken', reason: 'cannot be read (EIO)' }]);
  });
});

describe('limits of a folder (contract/document-folders.md#bad-files)', () => {
  const found = (path: string) => findFiles({ path }, new AbortController().signal);

  it('are 20,000 documents: those behind them are left out, and the folder is named', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'full/a.markdown': 'a' });
    const { files, faults } = await found(folder);
    expect(files).toHaveLength(20_000);
    expect(faults).toEqual([
      { file: '.', reason: 'holds 20,001 documents: those behind the first 20,000 are left out' },
    ]);
  });

  it('are 200,000 entries: more of them and nothing is taken, because facts may stand among the others', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'crowded/a.png': 'a', 'b.markdown': 'b' });
    await expect(found(folder)).rejects.toThrow('the folder holds more than 200,000 entries');
  });

  it('are 32 folders in one another: what is deeper is left out and named', async () => {
    const folder = temporaryFolder();
    const deep = (count: number): string => `${'d/'.repeat(count)}a.markdown`;
    writeFiles(folder, { [deep(32)]: 'a', [deep(33)]: 'a' });
    const { files, faults } = await found(folder);
    expect(files.map(({ path }) => path)).toEqual([deep(32)]);
    expect(faults).toEqual([{ file: 'd/'.repeat(33).slice(0, -1), reason: 'is nested deeper than 32 folders' }]);
  });
});
