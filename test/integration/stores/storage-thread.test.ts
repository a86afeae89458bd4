import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileMigrations } from '../../../src/adapters/stores/embedded/sqlite-queries.ts';
import { StorageThread } from '../../../src/adapters/stores/embedded/storage-thread.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import type { Statement } from '../../../src/adapters/stores/sql/sql-database.ts';
import { StorageFailed } from '../../../src/adapters/stores/storage-failed.ts';

const program = new URL('../../../src/adapters/stores/embedded/worker/storage-worker.ts', import.meta.url).href;

/** The program of the storage with one change: its thread dies at the statement `die`. */
const mortalProgram = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    await import('${program}');
    parentPort.on('message', (message) => {
      const dies = ({ statements }) => statements?.[0]?.sql === 'die';
      if (message.requests?.some(dies)) process.exit(7);
    });`)}`,
);

function openThread(options: { readonly program?: URL; readonly folder?: string } = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'thread-'));
  const commits: number[] = [];
  const crashes: string[] = [];
  const thread = new StorageThread({
    start: { role: 'writer', folder, migrations: compileMigrations(migrations), checkLog: true },
    onCommit: ({ changes }) => commits.push(changes),
    onCrash: (reason) => crashes.push(reason),
    ...(options.program !== undefined && { program: options.program }),
  });
  onTestFinished(async () => {
    await thread.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { thread, commits, crashes, folder };
}

const insert = (id: string): Statement => ({
  sql: 'insert into suspended_turn (turn_id, state, saved_at) values (?, ?, 0)',
  parameters: [id, '{}'],
  mustChange: 1,
});
const save = (id: string) => ({ kind: 'change', statements: [insert(id)] }) as const;
const everyTurn = {
  kind: 'read',
  statements: [{ sql: 'select turn_id as id from suspended_turn order by turn_id', parameters: [] }],
} as const;

async function saved(thread: StorageThread): Promise<readonly unknown[]> {
  const result = await thread.ask(everyTurn);
  return result.kind === 'done' ? (result.results[0]?.rows ?? []).map((row) => (row as { id: string }).id) : [];
}

describe('the thread that writes (contract/restarts.md)', () => {
  it('makes durable with one commit whatever has come while it was busy', async () => {
    const { thread, commits } = openThread();
    await thread.open();
    await Promise.all(Array.from({ length: 400 }, (_, index) => thread.ask(save(String(index)))));
    expect(commits.reduce((sum, changes) => sum + changes, 0)).toBe(400);
    expect(commits.length).toBeLessThan(100);
  });

  it('lets a refused or impossible change undo itself alone', async () => {
    const { thread } = openThread();
    await thread.open();
    const half = { kind: 'change', statements: [insert('half'), { ...insert('a'), mustChange: 2 }] } as const;
    const broken = { kind: 'change', statements: [insert('torn'), { sql: 'no such sql', parameters: [] }] } as const;
    const results = await Promise.allSettled(
      [save('a'), half, save('a'), broken, save('b')].map((asked) => thread.ask(asked)),
    );
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'failed'))).toEqual([
      'done',
      'refused',
      'refused',
      'failed',
      'done',
    ]);
    expect(await saved(thread)).toEqual(['a', 'b']);
  });

  it('rejects what is under way when it crashes, and a new thread goes on', async () => {
    const { thread, crashes } = openThread({ program: mortalProgram });
    await thread.open();
    await thread.ask(save('before'));
    const dying = thread.ask({ kind: 'change', statements: [{ sql: 'die', parameters: [] }] });
    const behind = thread.ask(save('behind'));
    await expect(dying).rejects.toThrow(StorageFailed);
    await expect(behind).rejects.toThrow('the thread of the storage ended');
    expect(crashes).toHaveLength(1);
    await thread.ask(save('after'));
    expect(await saved(thread)).toEqual(['after', 'before']);
  });

  it('refuses at once what would not fit in front of the disk', async () => {
    const { thread } = openThread();
    await thread.open();
    const long = { sql: 'select ?', parameters: ['x'.repeat(65 * 1024 * 1024)] };
    await expect(thread.ask({ kind: 'change', statements: [long] })).rejects.toMatchObject({ code: 'OVERLOADED' });
    const many = Array.from({ length: 20_001 }, () => thread.ask(everyTurn));
    await expect(many.at(-1)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(Promise.all(many.slice(0, -1))).resolves.toHaveLength(20_000);
  });

  it('makes what has come durable before it closes, and takes nothing afterwards', async () => {
    const { thread, folder } = openThread();
    await thread.open();
    const last = thread.ask(save('last'));
    await thread.close();
    await expect(last).resolves.toMatchObject({ kind: 'done' });
    await expect(thread.ask(save('late'))).rejects.toMatchObject({ code: 'CLOSED' });
    const next = openThread({ folder });
    await next.thread.open();
    expect(await saved(next.thread)).toEqual(['last']);
  });
});
