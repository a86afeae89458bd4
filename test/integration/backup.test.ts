import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const config = join(import.meta.dirname, '../../config/helper.yaml');

interface Place {
  readonly folder: string;
  readonly file: string;
  readonly start: () => ServerProcess;
  readonly run: (...words: string[]) => Promise<{ readonly code: number; readonly text: string }>;
}

/** A folder with room for a `storage.path`, backups, and servers that are started on it. */
function place(environment: Readonly<Record<string, string>> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'helper-backup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'data');
  const own = { HELPER__HITLMODE: 'Native', HELPER__STORAGE__PATH: folder, ...environment };
  return {
    folder,
    file: join(root, 'kept.db'),
    start: () => startServerProcess({ folder, config, environment: own }),
    run: async (...words) => {
      const context = fakeContext(root, own);
      const code = await runCommand([...words, '--config', config], context);
      return { code, text: context.written() + context.complained() };
    },
  };
}

const ask = (url: string, message: string): Promise<SseConversation> =>
  openSse(`${url}/helper/chat`, { method: 'POST', body: { message } });

const approve = (url: string, actionId: unknown): Promise<Response> =>
  fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved: true }),
  });

describe('a backup (contract/operations.md#backup)', () => {
  // proves configuration-7-13
  it('of a running server is put back after its disk is lost: a question that was open is answered once, and what came later is gone', async () => {
    const { folder, file, start, run } = place();
    const first = start();
    const url = await first.url;
    const question = await (await ask(url, 'cancel order 1002')).next('confirmation');
    expect(await run('backup', file)).toEqual({
      code: 0,
      text: `Written: ${file}\nIt holds the keys of saved conversations: keep it as you keep secrets.\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const later = await (await ask(url, 'cancel order 1005')).next('confirmation');
    await first.kill('SIGKILL');
    rmSync(folder, { recursive: true });

    const restored = await run('restore', file);
    expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('open questions: 1.') as string });
    const second = await start().url;
    expect((await approve(second, later.data?.['actionId'])).status).toBe(404);
    expect((await approve(second, question.data?.['actionId'])).status).toBe(200);
    const resumed = await openSse(`${second}/helper/chat`, { headers: { 'last-event-id': question.id ?? '' } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed' });
    expect((await approve(second, question.data?.['actionId'])).status).toBe(404);
  });

  // proves configuration-7-46
  it('of a server with hitlMode Blocking brings no question back, and the command says so', async () => {
    const { folder, file, start, run } = place({ HELPER__HITLMODE: 'Blocking' });
    const first = start();
    const question = await (await ask(await first.url, 'cancel order 1002')).next('confirmation');
    expect((await run('backup', file)).code).toBe(0);
    await first.kill('SIGKILL');
    rmSync(folder, { recursive: true });
    expect((await run('restore', file)).text).toContain(
      'open questions: 1.\nWith hitlMode: Blocking they are cancelled when the server starts, and their actions do not run.\n',
    );
    const second = start();
    const late = await approve(await second.url, question.data?.['actionId']);
    expect([late.status, await late.json()]).toMatchObject([404, { outcome: 'cancelled' }]);
    expect(second.printed()).toContain('"code":"interrupted"');
    expect(second.printed()).not.toContain('"stack"');
  });

  // proves configuration-7-12
  it('is whole while turns are stored all the time, and leaves nothing beside the database', async () => {
    const { folder, file, start, run } = place();
    const server = start();
    const url = await server.url;
    const turns = Promise.all(
      Array.from({ length: 12 }, () => ask(url, 'cancel order 1002').then((turn) => turn.next('confirmation'))),
    );
    const codes = [];
    for (let index = 0; index < 3; index += 1) codes.push((await run('backup', `${file}.${String(index)}`)).code);
    await turns;
    expect(codes).toEqual([0, 0, 0]);
    const files = new SqliteDatabase(`${file}.2`, { readonly: true });
    onTestFinished(() => void files.close());
    expect(files.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() => statSync(join(folder, 'helper.backup'))).toThrow('ENOENT');
    await server.kill('SIGTERM');
    // The backup of a stopped server works in the same way.
    expect((await run('backup', file)).code).toBe(0);
    rmSync(folder, { recursive: true });
    expect((await run('restore', file)).text).toContain('open questions: 12.');
  });

  it('that was cut off leaves nothing for longer than to the next start', async () => {
    const { folder, start, run, file } = place();
    mkdirSync(folder);
    for (const name of ['helper.backup', 'helper.backup-journal']) writeFileSync(join(folder, name), 'left');
    await start().url;
    expect(readdirSync(folder).filter((name) => name.startsWith('helper.backup'))).toEqual([]);
    expect((await run('backup', file)).code).toBe(0);
  });

  it('of a running server is written to the output, and nothing else is', async () => {
    const { folder, file, start, run } = place();
    const none = await run('backup', '-');
    expect(none).toMatchObject({ code: 1, text: expect.stringContaining('no backup was made: ') as string });
    await start().url;
    const { code, text } = await run('backup', '-');
    expect(code).toBe(0);
    expect(text).toMatch(/It holds the keys of saved conversations: keep it as you keep secrets.\n$/);
    writeFileSync(file, text.replace(/It holds the keys of saved.*\n$/, ''), 'latin1');
    const copy = new SqliteDatabase(file, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() => statSync(join(folder, 'helper.backup'))).toThrow('ENOENT');
  });

  it.each(['kept.db', '-'])('of a server that keeps nothing says so (to %s)', async (target) => {
    const { run } = place({ HELPER__STORAGE__TYPE: 'memory' });
    expect(await run('backup', target)).toEqual({
      code: 1,
      text: 'no backup was made: storage.type memory keeps nothing\n',
    });
  });

  // proves configuration-7-12
  it('is never written over another file, and nothing is left where it fails', async () => {
    const { file, run } = place();
    expect(await run('backup', file)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^no backup was made: .* has no database\n$/) as string,
    });
    writeFileSync(file, 'mine');
    const server = place();
    const running = server.start();
    await running.url;
    const { code, text } = await server.run('backup', file);
    expect({ code, text }).toEqual({ code: 1, text: `no backup was made: ${file} is there already\n` });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('a restore (contract/operations.md#backup)', () => {
  // proves configuration-7-13
  it('takes the place of nothing without being told to, nor of what a server uses', async () => {
    const { folder, file, start, run } = place();
    const server = start();
    await server.url;
    expect((await run('backup', file)).code).toBe(0);
    const inUse = await run('restore', file, '--replace');
    expect(inUse).toMatchObject({ code: 1, text: expect.stringContaining('it is in use by process') as string });
    await server.kill('SIGTERM');
    const refused = await run('restore', file);
    expect(refused.text).toBe(
      `nothing was restored: ${join(folder, 'helper.db')} is there: --replace puts the backup in its place\n`,
    );
    expect((await run('restore', file, '--replace')).code).toBe(0);
    await start().url;
  });

  it('keeps the database from others, whoever may read the backup', async () => {
    const { folder, file, start, run } = place();
    const server = start();
    await server.url;
    expect((await run('backup', file)).code).toBe(0);
    await server.kill('SIGTERM');
    for (const mode of [0o644, 0o400]) {
      chmodSync(file, mode);
      writeFileSync(join(folder, 'helper.db.restoring-journal'), 'left by a killed restore');
      expect((await run('restore', file, '--replace')).code).toBe(0);
      expect(statSync(join(folder, 'helper.db')).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(folder).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
    await start().url;
  });

  it.each([
    ['is no database', (file: string) => writeFileSync(file, 'hello')],
    ['is another database', (file: string) => new SqliteDatabase(file).exec('create table a (b)').close()],
    ['is not there', () => undefined],
  ])('takes no file that %s', async (_title, make) => {
    const { folder, file, run } = place();
    make(file);
    const { code, text } = await run('restore', file);
    expect(code).toBe(1);
    expect(text).toContain(`nothing was restored: ${file} is no backup that can be used: `);
    expect(() => statSync(folder)).toThrow('ENOENT');
  });

  it('keeps the keys that are there beside those of the backup, so that both kinds of saved conversations open', async () => {
    const { folder, file, start, run } = place();
    const server = start();
    await server.url;
    expect((await run('backup', file)).code).toBe(0);
    await server.kill('SIGTERM');
    const before = keysIn(folder);
    rmSync(folder, { recursive: true });
    const other = start();
    await other.url;
    await other.kill('SIGTERM');
    const own = keysIn(folder);
    expect((await run('restore', file, '--replace')).code).toBe(0);
    expect(keysIn(folder)).toEqual([...own, ...before]);
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
  });
});

function keysIn(folder: string): string[] {
  const { keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as { readonly keys: string[] }; // the server has written it
  return keys;
}
