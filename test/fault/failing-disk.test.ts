import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DiskError, FailingDisk } from '../support/faults/failing-disk.ts';
import { isHere } from '../support/tools-here.ts';

/** Opens a file, writes two words and syncs each of them. Prints what failed. */
const program = `
const { openSync, writeSync, fsyncSync } = require('node:fs');
const attempt = (name, act) => { try { return act(); } catch (error) { console.log(name + ' ' + error.code); } };
const file = attempt('open', () => openSync(process.argv[1], 'w'));
for (const word of ['one', 'two']) {
  attempt('write', () => writeSync(file, word));
  attempt('sync', () => fsyncSync(file));
}`;

interface Played {
  readonly said: readonly string[];
  readonly signal: string | null;
  readonly written: string;
}

function play(prepare: (disk: FailingDisk) => void, place: 'inside' | 'outside' = 'inside', timeout?: number): Played {
  const root = mkdtempSync(join(tmpdir(), 'helper-disk-test-'));
  const folder = join(root, 'inside');
  mkdirSync(folder);
  const disk = new FailingDisk(folder, join(root, 'control'));
  onTestFinished(() => {
    disk.close();
    rmSync(root, { recursive: true });
  });
  prepare(disk);
  const file = join(place === 'inside' ? folder : root, 'file');
  const { stdout, signal } = spawnSync(process.execPath, ['-e', program, file], { env: disk.environment, timeout });
  const said = stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  const written = said.some((line) => line.startsWith('open')) ? '' : readFileSync(file, 'utf8');
  return { said, signal, written };
}

describe.skipIf(!isHere('compiler'))('a failing disk, preloaded into a process (needs a C compiler, cc)', () => {
  it('does nothing while it works, and counts nothing outside its folder', () => {
    expect(play(() => undefined)).toMatchObject({ said: [], signal: null, written: 'onetwo' });
    expect(play((disk) => disk.fail('EIO'), 'outside')).toMatchObject({ said: [], written: 'onetwo' });
  });

  it.each<[DiskError, readonly string[], string]>([
    ['ENOSPC', ['write ENOSPC', 'sync ENOSPC', 'write ENOSPC', 'sync ENOSPC'], ''],
    ['EIO', ['write EIO', 'sync EIO', 'write EIO', 'sync EIO'], ''],
    ['EIO of syncs', ['sync EIO', 'sync EIO'], 'onetwo'],
  ])('refuses what %s refuses', (error, said, written) => {
    expect(play((disk) => disk.fail(error))).toMatchObject({ said, written });
  });

  it('refuses to open for writing what is read-only', () => {
    expect(play((disk) => disk.fail('EROFS')).said[0]).toBe('open EROFS');
  });

  it('fails once so many operations have succeeded', () => {
    expect(play((disk) => disk.fail('EIO', 2))).toMatchObject({ said: ['write EIO', 'sync EIO'], written: 'one' });
  });

  it.each([
    ['before', 'one'],
    ['after', 'onetwo'],
  ] as const)('kills the process %s an operation', (when, written) => {
    const played = play((disk) => disk.killAt(3, when));
    expect(played).toMatchObject({ said: [], signal: 'SIGKILL', written });
  });

  it('is as slow as it is told to be', () => {
    // The process is ended long before its first sync is over.
    expect(play((disk) => disk.heal(600_000), 'inside', 2_000)).toMatchObject({ said: [], signal: 'SIGTERM' });
  });
});
