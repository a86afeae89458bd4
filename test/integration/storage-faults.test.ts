import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import type { JournalEntry } from '../../src/core/ports/confirmation-journal.ts';
import { type FaultyDisk, makeFaultyDisk } from '../support/faulty-disk/faulty-disk.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { isHere } from '../support/tools-here.ts';

function keptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-storage-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

interface Readiness {
  readonly code: number;
  readonly storage: string | undefined;
}

async function readiness(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  const { checks } = (await response.json()) as { readonly checks: readonly { name: string; state: string }[] };
  return { code: response.status, storage: checks.find(({ name }) => name === 'storage')?.state };
}

/** Waits for a text in the log. A line of the log comes a moment after the answer that it explains. */
async function prints(server: ServerProcess, text: string): Promise<void> {
  await vi.waitFor(() => {
    expect(server.printed()).toContain(text);
  });
}

/** Resolves once `/readyz` says so. */
async function says(url: string, code: 200 | 503): Promise<void> {
  await vi.waitUntil(async () => (await readiness(url)).code === code, { interval: 100 });
}

const skipped = !isHere('compiler');

async function startOnFaultyDisk(): Promise<{ server: ServerProcess; disk: FaultyDisk; url: string }> {
  const disk = makeFaultyDisk(keptFolder());
  if (disk === undefined) throw new Error('this machine cannot compile the faulty disk');
  const server = startServerProcess({ folder: keptFolder(), environment: disk.environment });
  return { server, disk, url: await server.url };
}

describe('/readyz writes to the disk (contract/operations.md#probes and contract/restarts.md#stopping)', () => {
  // proves wire-6-39, wire-10-16
  it.skipIf(skipped).each(['ENOSPC', 'EROFS', 'EIO', 'sync EIO'] as const)(
    'tells a disk that answers with %s within 5 s, serves on, and recovers',
    async (fault) => {
      const { server, disk, url } = await startOnFaultyDisk();
      expect(await readiness(url)).toEqual({ code: 200, storage: 'ok' });
      disk.become(fault);
      await says(url, 503);
      expect((await readiness(url)).storage).toBe('failed');
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      disk.become('sound');
      await says(url, 200);
      await prints(server, 'the storage failed');
      await prints(server, 'the storage works again');
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toMatch(/helperagent_storage_failures_total\{operation="probe"\} [1-9]/);
      expect(metrics).toMatch(/helperagent_storage_commit_seconds_count \d+/);
      expect(await server.kill('SIGTERM')).toBe(0);
    },
  );

  // proves wire-10-12, wire-10-16
  it('tells a deleted folder within 5 s, and recovers when it is back', async () => {
    const folder = keptFolder();
    const path = join(folder, 'data');
    const server = startServerProcess({ folder: path });
    const url = await server.url;
    renameSync(path, join(folder, 'away'));
    await says(url, 503);
    expect((await readiness(url)).storage).toBe('failed');
    renameSync(join(folder, 'away'), path);
    await says(url, 200);
  });

  // proves wire-10-12
  it('tells a replaced database within 5 s, and writes nothing into it', async () => {
    const folder = keptFolder();
    const server = startServerProcess({ folder });
    const url = await server.url;
    renameSync(join(folder, 'helper.db'), join(folder, 'before.db'));
    cpSync(join(folder, 'before.db'), join(folder, 'helper.db'));
    const replaced = readFileSync(join(folder, 'helper.db'));
    await says(url, 503);
    await prints(server, 'was replaced by another file while it was in use');
    expect(readFileSync(join(folder, 'helper.db')).equals(replaced)).toBe(true);
  });

  // proves wire-10-16
  it.skipIf(skipped)('answers /healthz and chats while a sync of the disk takes two seconds', async () => {
    const { disk, url } = await startOnFaultyDisk();
    disk.become('held');
    const ready = readiness(url);
    for (let round = 0; round < 20; round += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const chat = await fetch(`${url}/helper/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello' }),
    });
    expect(await chat.text()).toContain('"status":"completed"');
    expect(await ready).toMatchObject({ code: 503 });
    disk.become('sound');
    await says(url, 200);
  });
});

describe('one process a folder (contract/restarts.md)', () => {
  it('ends a second process with code 1 and one sentence that names folder and process', async () => {
    const folder = keptFolder();
    const first = startServerProcess({ folder });
    const url = await first.url;
    const second = startServerProcess({ folder });
    expect(await second.exited).toBe(1);
    expect(second.printed()).toMatch(
      new RegExp(
        `^storage\\.path: ${folder} cannot be used: it is in use by process ${String(first.pid)} on \\S+, since \\S+Z\\. ` +
          'Stop that one, or give each server its own storage\\.path\\.\\n$',
      ),
    );
    expect((await readiness(url)).code).toBe(200);
  });

  it('leaves the folder to the next process after SIGKILL', async () => {
    const folder = keptFolder();
    const first = startServerProcess({ folder });
    await first.url;
    await first.kill('SIGKILL');
    const second = startServerProcess({ folder });
    expect((await readiness(await second.url)).code).toBe(200);
  });
});

const entry: JournalEntry = {
  actionId: 'a1',
  callId: 'call_1',
  turnId: 't1',
  conversationId: 'c1',
  action: 'cancel_order',
  argumentsHash: 'f00d',
  arguments: '{}',
  agent: 'coordinator',
  owner: null,
  requestedAt: Date.now(),
};

/** A copy of a folder as a crash leaves it, after some changes that were acknowledged. */
async function crashedFolder(): Promise<string> {
  const folder = keptFolder();
  const living = join(folder, 'living');
  const { journal } = await openStores({ type: 'embedded', path: living });
  for (const actionId of ['a1', 'a2', 'a3', 'a4', 'a5'])
    await journal.requested({ ...entry, actionId, callId: actionId });
  const crashed = join(folder, 'crashed');
  mkdirSync(crashed);
  for (const name of ['helper.db', 'helper.db-wal', 'helper.db-shm', 'helper.owner']) {
    writeFileSync(join(crashed, name), readFileSync(join(living, name)));
  }
  await journal.close();
  return crashed;
}

describe('what a crash or a slip left behind (contract/restarts.md)', () => {
  const log = (folder: string): string => join(folder, 'helper.db-wal');

  it('is taken over when it is whole', async () => {
    const path = await crashedFolder();
    const { journal } = await openStores({ type: 'embedded', path });
    expect(await journal.unfinished()).toHaveLength(5);
    await journal.close();
  });

  it('is taken over without its index, and with a commit that was not finished', async () => {
    const path = await crashedFolder();
    rmSync(join(path, 'helper.db-shm'));
    const bytes = readFileSync(log(path));
    writeFileSync(log(path), Buffer.concat([bytes, bytes.subarray(32, 2_000)]));
    const { journal } = await openStores({ type: 'embedded', path });
    expect(await journal.unfinished()).toHaveLength(5);
    await journal.close();
  });

  it.each([
    [
      'a log that was cut',
      (path: string) => {
        truncateSync(log(path), 5_000);
      },
    ],
    [
      'a log that is gone',
      (path: string) => {
        rmSync(log(path));
      },
    ],
    [
      'an emptied log',
      (path: string) => {
        truncateSync(log(path), 0);
      },
    ],
    [
      'a log of zeros',
      (path: string) => {
        writeFileSync(log(path), Buffer.alloc(readFileSync(log(path)).length));
      },
    ],
    [
      'a log with a broken header and without its index',
      (path: string) => {
        rmSync(join(path, 'helper.db-shm'));
        const bytes = readFileSync(log(path));
        bytes.fill(7, 0, 8);
        writeFileSync(log(path), bytes);
      },
    ],
    [
      'a log that is damaged in the middle and without its index',
      (path: string) => {
        rmSync(join(path, 'helper.db-shm'));
        const bytes = readFileSync(log(path));
        bytes.fill(7, 600, 700);
        writeFileSync(log(path), bytes);
      },
    ],
  ])('%s is refused in one sentence, and left as it is', async (_title, damage) => {
    const path = await crashedFolder();
    damage(path);
    const before = readFileSync(join(path, 'helper.db'));
    await expect(openStores({ type: 'embedded', path })).rejects.toThrow(
      /its write-ahead log \S+ is damaged or missing\. Restore the folder from a backup, or move/,
    );
    expect(readFileSync(join(path, 'helper.db')).equals(before)).toBe(true);
  });

  it('an emptied database is refused in one sentence, never begun anew', async () => {
    const path = keptFolder();
    const { journal } = await openStores({ type: 'embedded', path });
    await journal.close();
    truncateSync(join(path, 'helper.db'), 0);
    const server = startServerProcess({ folder: path });
    expect(await server.exited).toBe(1);
    expect(server.printed()).toMatch(
      /^storage\.path: \S+ cannot be used: \S+helper\.db is empty, and it was not before\. Restore/,
    );
    expect(readFileSync(join(path, 'helper.db'))).toHaveLength(0);
  });

  it('a log without its database is refused', async () => {
    const path = await crashedFolder();
    rmSync(join(path, 'helper.db'));
    await expect(openStores({ type: 'embedded', path })).rejects.toThrow('is there without its database');
  });

  it('a database that was moved away is begun anew, and the log says so', async () => {
    const path = keptFolder();
    const { journal } = await openStores({ type: 'embedded', path });
    await journal.close();
    rmSync(join(path, 'helper.db'));
    const server = startServerProcess({ folder: path });
    await server.url;
    await prints(server, 'a new one was begun');
  });
});
