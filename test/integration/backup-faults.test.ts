import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { FailingDisk } from '../support/faults/failing-disk.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { builtServer, processEnvironment } from '../support/process-environment.ts';
import { openSse } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { isHere } from '../support/tools-here.ts';

const root = join(import.meta.dirname, '../..');
const config = join(root, 'config/helper.yaml');

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly file: string;
  readonly disk: FailingDisk;
  readonly start: (environment?: Readonly<Record<string, string>>) => ServerProcess;
  readonly run: (...words: string[]) => Promise<{ readonly code: number; readonly text: string }>;
  /** Runs the command as a separate process on the failing disk. The code is null when the disk has killed the process. */
  readonly runOnDisk: (...words: string[]) => { readonly code: number | null; readonly text: string };
}

/** A folder with room for a `storage.path` on a disk that can fail, and for backups beside it. */
function place(): Place {
  const top = mkdtempSync(join(tmpdir(), 'helper-backup-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'data');
  mkdirSync(folder);
  const disk = new FailingDisk(folder, join(top, 'control'));
  onTestFinished(() => {
    disk.close();
  });
  const own = { HELPER__HITLMODE: 'Native', HELPER__STORAGE__PATH: folder };
  return {
    root: top,
    folder,
    file: join(top, 'kept.db'),
    disk,
    start: (environment = {}) => startServerProcess({ folder, config, environment: { ...own, ...environment } }),
    run: async (...words) => {
      const context = fakeContext(top, own);
      const code = await runCommand([...words, '--config', config], context);
      return { code, text: context.written() + context.complained() };
    },
    runOnDisk: (...words) => {
      const env = { ...processEnvironment, ...own, ...disk.environment };
      const program = [builtServer, ...words, '--config', config];
      const { status, stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: 'utf8' });
      return { code: status, text: stdout + stderr };
    },
  };
}

const ask = async (url: string, message: string): Promise<void> => {
  const turn = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message } });
  await turn.next('confirmation');
};

/** A folder whose server was killed with two open questions in its log, and a backup with one of them. */
async function killedServer(): Promise<Place & { readonly sound: string }> {
  const one = place();
  const server = one.start();
  const url = await server.url;
  await ask(url, 'cancel order 1002');
  expect((await one.run('backup', one.file)).code).toBe(0);
  await ask(url, 'cancel order 1005');
  await server.kill('SIGKILL');
  const sound = join(one.root, 'sound');
  cpSync(one.folder, sound, { recursive: true });
  return { ...one, sound };
}

/** The number of open questions in the storage that the next process finds. The storage must be undamaged. */
async function questionsIn({ root: top, run }: Place): Promise<number> {
  const file = join(top, 'looked-at.db');
  expect(await run('backup', file)).toMatchObject({ code: 0 });
  const copy = new SqliteDatabase(file, { readonly: true });
  try {
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    return Number(copy.prepare(`select count(*) from "confirmation" where "state" = 'requested'`).pluck().get());
  } finally {
    copy.close();
    rmSync(file);
  }
}

const leftovers = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /restoring|replaced|\.backup/.test(name));

describe.skipIf(!isHere('compiler'))('a backup of a newer version (contract/operations.md#backup)', () => {
  // proves configuration-7-27
  it('is refused by an older one, which says so and changes nothing', async () => {
    const { folder, file, start, run } = place();
    const server = start();
    await server.url;
    expect((await run('backup', file)).code).toBe(0);
    await server.kill('SIGTERM');
    const newer = new SqliteDatabase(file);
    newer.exec(
      'update "schema_migration" set "version" = 9999 where "version" = (select max("version") from "schema_migration")',
    );
    newer.close();
    rmSync(folder, { recursive: true });
    expect(await run('restore', file, '--replace')).toEqual({
      code: 1,
      text: `nothing was restored: ${file} was written by a newer version of this server: restore it with that one\n`,
    });
    expect(existsSync(folder)).toBe(false);
  });
});

describe.skipIf(!isHere('compiler'))('a backup on a disk that fails (contract/operations.md#backup)', () => {
  // proves configuration-7-12
  it('is not made twice at once: the second is refused, and the first is whole', async () => {
    const { file, disk, start, run } = place();
    const server = start(disk.environment);
    await server.url;
    disk.heal(1000);
    const both = await Promise.all([run('backup', file), run('backup', `${file}.2`)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.text).toBe('no backup was made: another backup is being made\n');
    disk.heal();
    expect((await run('backup', `${file}.3`)).code).toBe(0);
  });

  // proves configuration-7-12
  it('that fills up in the middle leaves nothing, and the server goes on', async () => {
    const { folder, file, disk, start, run } = place();
    const server = start(disk.environment);
    const url = await server.url;
    disk.fail('ENOSPC', 5);
    const { code, text } = await run('backup', file);
    expect(code).toBe(1);
    expect(text).toMatch(/^no backup was made: .*(full|disk I\/O error)/);
    disk.heal();
    expect(existsSync(file)).toBe(false);
    expect(leftovers(folder)).toEqual([]);
    await ask(url, 'cancel order 1002');
    expect((await run('backup', file)).code).toBe(0);
  });
});

describe.skipIf(!isHere('compiler'))('a backup without room (contract/operations.md#backup)', () => {
  // proves configuration-7-12
  it('is refused before anything is written, and leaves no half of a file where it was to go', async (context) => {
    const { folder, root: top, start, run } = place();
    const small = SmallDisk.mount(folder);
    if (small === undefined) {
      context.skip('mounting a disk needs root');
      return;
    }
    onTestFinished(() => small.unmount());
    const server = start();
    await server.url;
    expect(await run('backup', join(top, 'kept.db'))).toEqual({
      code: 1,
      text: 'no backup was made: there is no room on the disk of storage.path for a copy\n',
    });
    await server.kill('SIGTERM');
    small.fill();
    expect((await run('backup', join(folder, 'kept.db'))).code).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('kept'))).toEqual([]);
    small.empty();
    expect((await run('backup', join(folder, 'kept.db'))).code).toBe(0);
  });
});

describe.skipIf(!isHere('compiler'))('a restore that is cut off (contract/operations.md#backup)', () => {
  // proves configuration-7-27
  it('at a write, sync or renaming leaves the earlier database whole, or the backup', async () => {
    const one = await killedServer();
    const { file, disk, runOnDisk } = one;
    const seen: number[] = [];
    const moments = await momentsOf(one);
    for (const operation of moments) {
      lay(one);
      disk.killAt(operation, 'after');
      const { code, text } = runOnDisk('restore', file, '--replace');
      disk.heal();
      expect(code, text).toBe(null);
      seen.push(await questionsIn(one));
      expect(leftovers(one.folder)).toEqual([]);
    }
    // The last operation puts the backup in place. Before it there are two questions, and after it there is one.
    expect(seen).toEqual([...moments.slice(1).map(() => 2), 1]);
  });

  // proves configuration-7-27
  it('by a disk that fails from some moment on says so, and a server finds the earlier database', async () => {
    const one = await killedServer();
    const { file, disk, runOnDisk } = one;
    for (const operation of await momentsOf(one)) {
      lay(one);
      disk.fail('EIO', operation - 1);
      const { code, text } = runOnDisk('restore', file, '--replace');
      disk.heal();
      expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^nothing was restored: /) as string });
      expect(await questionsIn(one), text).toBe(2);
    }
  });
});

/** Restores the folder to the state in which the killed server has left it, on a disk that works. */
function lay({ folder, sound, disk }: Place & { readonly sound: string }): void {
  rmSync(folder, { recursive: true });
  cpSync(sound, folder, { recursive: true });
  disk.heal();
}

/** The operations of a restore that are tried: the first, one in the middle, and the last ones, which rename files. */
async function momentsOf(one: Place & { readonly sound: string }): Promise<readonly number[]> {
  const before = one.disk.operations;
  expect(one.runOnDisk('restore', one.file, '--replace')).toMatchObject({ code: 0 });
  const all = one.disk.operations - before;
  expect(await questionsIn(one)).toBe(1);
  return [1, Math.floor(all / 2), all - 4, all - 3, all - 2, all - 1, all];
}
