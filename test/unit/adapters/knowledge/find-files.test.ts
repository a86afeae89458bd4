import type * as Fs from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { findFiles } from '../../../../src/adapters/knowledge/files/worker/find-files.ts';
import { temporaryFolder, writeFiles } from '../../../support/document-folder.ts';

/** Listings of folders named "broken" end after two entries. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const opendirSync = (path: string): Fs.Dir => {
    const directory = fs.opendirSync(path);
    const read = directory.readSync.bind(directory);
    let count = 0;
    directory.readSync = () => {
      count += 1;
      if (count > 2 && path.endsWith('broken')) throw Object.assign(new Error('broken'), { code: 'EIO' });
      return read();
    };
    return directory;
  };
  return { ...fs, opendirSync };
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
