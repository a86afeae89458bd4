import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasPostgres, ownPostgres, postgresOfRun } from '../support/databases/postgres.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { builtServer, processEnvironment } from '../support/process-environment.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

const postgres = postgresOfRun();

const dayMs = 24 * 60 * 60 * 1_000;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-postgres-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const plugin = (done: string): string => `
  import { appendFileSync } from 'node:fs';
  export default {
    name: 'shop',
    actions: [{
      name: 'cancel_order',
      description: 'Cancels an order.',
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      execute: ({ id }) => { appendFileSync(${JSON.stringify(done)}, 'cancelled ' + id + ';'); return 'done'; },
    }],
  };`;

interface Shop {
  readonly folder: string;
  readonly config: string;
  /** What the action has really done. */
  readonly done: () => string;
}

/** A server's configuration, with the demo model and an action that asks. */
function shop(storage: string): Shop {
  const folder = newFolder();
  const done = join(folder, 'done');
  writeFileSync(done, '');
  mkdirSync(join(folder, 'plugins', 'shop'), { recursive: true });
  writeFileSync(join(folder, 'plugins', 'shop', 'index.js'), plugin(done));
  const config = join(folder, 'helper.yaml');
  writeFileSync(
    config,
    `appName: Shop
chatClient: demo
models: { demo: { provider: demo } }
actions: { plugins: [./plugins] }
hitlMode: Native
confirmationTimeout: 1h
storage: ${storage}
`,
  );
  return { folder, config, done: () => readFileSync(done, 'utf8') };
}

const onPostgres = (url: string): string => `{ type: postgres, url: ${JSON.stringify(url)}, path: ./data }`;

/** A server on this configuration. `storage.path` stays as the configuration says. */
function start({ folder, config }: Shop): ServerProcess {
  return startServerProcess({ folder: join(folder, 'data'), config });
}

/** Asks for a change and gives the question. */
async function ask(url: string): Promise<{ readonly actionId: string; readonly turnId: string }> {
  const stream = await openSse(`${url}/helper/chat?message=${encodeURIComponent('cancel order 1002')}`);
  const { data } = await stream.next('confirmation');
  stream.close();
  return { actionId: String(data?.['actionId']), turnId: String(data?.['turnId']) };
}

async function approve(url: string, actionId: string): Promise<number> {
  const { status } = await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved: true }),
  });
  return status;
}

async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status;
}

describe.skipIf(!hasPostgres)('a server on PostgreSQL (contract/restarts.md#postgresql)', () => {
  // proves configuration-5-55
  it('keeps an open question in the database over a kill, also for a server with another folder', async () => {
    const url = await (await postgres()).newDatabase();
    const first = shop(onPostgres(url));
    const server = start(first);
    const { actionId } = await ask(await server.url);
    await server.kill('SIGKILL');
    // The keys are what must stay with a server that has another folder.
    const second = { ...first, folder: newFolder() };
    const keys = readFileSync(join(first.folder, 'data', 'keys.json'), 'utf8');
    const next = startServerProcess({
      folder: join(second.folder, 'data'),
      config: first.config,
      environment: { HELPER__DATAPROTECTION__KEYFILE: keyFile(second.folder, keys) },
    });
    expect(await approve(await next.url, actionId)).toBe(200);
    await vi.waitFor(() => expect(first.done()).toBe('cancelled 1002;'));
    expect(await approve(await next.url, actionId)).toBe(404);
    expect(await next.kill('SIGTERM')).toBe(0);
    expect(first.done()).toBe('cancelled 1002;');
  });

  // proves configuration-5-60
  it('answers 503 for answers while the database is away, runs nothing, and serves on once it is back', async () => {
    const own = await ownPostgres();
    const place = shop(onPostgres(await own.newDatabase()));
    const server = start(place);
    const url = await server.url;
    const { actionId } = await ask(url);
    await own.stop();
    await vi.waitFor(async () => expect(await readiness(url)).toBe(503));
    expect(await approve(url, actionId)).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(place.done()).toBe('');
    await own.run();
    await vi.waitFor(async () => expect(await readiness(url)).toBe(200));
    expect(await approve(url, actionId)).toBe(200);
    await vi.waitFor(() => expect(place.done()).toBe('cancelled 1002;'));
  });

  // proves configuration-5-88
  it('has the vectors of documents from the database when its own folder is empty', async () => {
    const model = await startEmbeddingServer();
    const url = await (await postgres()).newDatabase();
    const place = shop(onPostgres(url));
    mkdirSync(join(place.folder, 'help'));
    writeFileSync(join(place.folder, 'help', 'hours.markdown'), '# Hours\n\nThe shop is open from nine to five.');
    const vectors = `{ kind: embeddings, provider: openai, model: v, apiKey: none, baseUrl: ${JSON.stringify(model.url)} }`;
    const config = readFileSync(place.config, 'utf8')
      .replace('models: { demo', `models: { vectors: ${vectors}, demo`)
      .concat('useRag: true\nembeddingGenerator: vectors\nragSources: [{ type: files, name: help, path: ./help }]\n');
    writeFileSync(place.config, config);
    const runWithEmptyFolder = async (): Promise<void> => {
      const server = startServerProcess({ folder: newFolder(), config: place.config });
      const origin = await server.url;
      const hasVector = /helperagent_knowledge_vectors\{[^}]*state="made"[^}]*\} 1\n/u;
      await vi.waitFor(async () => expect(await (await fetch(`${origin}/metrics`)).text()).toMatch(hasVector));
      expect(await server.kill('SIGTERM')).toBe(0);
      expect(server.printed()).not.toContain('the storage failed');
    };
    await runWithEmptyFolder();
    // The server was away for so long that nobody has said to use them.
    await (await postgres()).query(url, `update passage_vector set used_at = used_at - ${String(15 * dayMs)}`);
    await runWithEmptyFolder();
    expect(model.texts()).toEqual(['Hours\nThe shop is open from nine to five.']);
  });

  // proves configuration-5-59
  it('waits at its start for a database that starts too', async () => {
    const own = await ownPostgres();
    const place = shop(onPostgres(await own.newDatabase()));
    await own.stop();
    const server = start(place);
    await vi.waitFor(() => expect(server.printed()).toContain('it is waited for'));
    await own.run();
    expect(await readiness(await server.url)).toBe(200);
  });

  // proves configuration-5-59
  it('does not start without its database, says why in one sentence, and shows no password', async () => {
    const { socketFolder } = await postgres();
    const { config } = shop(`{ type: postgres, url: "postgres://helper:hunter2@/nothing?host=${socketFolder}" }`);
    const server = startServerProcess({ folder: newFolder(), config });
    expect(await server.exited).toBe(1);
    expect(server.printed()).toContain(
      'storage.url: the database cannot be used: database "nothing" does not exist. Create the database, or correct its name.',
    );
    expect(server.printed()).not.toContain('hunter2');
  });

  // proves configuration-5-61
  it('does not start without storage.url', async () => {
    const { config } = shop('{ type: postgres }');
    const server = startServerProcess({ folder: newFolder(), config });
    expect(await server.exited).toBe(78);
    expect(server.printed()).toContain('storage.url');
  });
});

describe.skipIf(!hasPostgres)('helper storage copy (contract/operations.md#copying)', () => {
  // proves configuration-7-69
  it('copies what a stopped server kept, so that a server on PostgreSQL goes on with it', async () => {
    const place = shop('{ path: ./data }');
    const server = start(place);
    const { actionId } = await ask(await server.url);
    await server.kill('SIGTERM');
    const url = await (await postgres()).newDatabase();
    writeFileSync(
      place.config,
      readFileSync(place.config, 'utf8').replace(/storage: .*/, `storage: ${onPostgres(url)}`),
    );
    const copied = await copy(place);
    expect(copied).toMatchObject({ code: 0 });
    expect(copied.printed).toContain('confirmation: 1');
    const next = start(place);
    expect(await approve(await next.url, actionId)).toBe(200);
    await vi.waitFor(() => expect(place.done()).toBe('cancelled 1002;'));
    await next.kill('SIGTERM');
    expect(await copy(place)).toMatchObject({ code: 1, printed: expect.stringContaining('has data already') });
  });

  // proves configuration-7-70
  it('copies nothing from a folder that a server uses, and nothing without the keys of the folder', async () => {
    const place = shop('{ path: ./data }');
    const server = start(place);
    await server.url;
    const url = await (await postgres()).newDatabase();
    const settings = { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: url };
    expect(await copy(place, settings)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('it is in use by process'),
    });
    await server.kill('SIGTERM');
    const other = keyFile(newFolder(), JSON.stringify({ keys: [Buffer.alloc(32, 7).toString('base64')] }));
    expect(await copy(place, { ...settings, HELPER__DATAPROTECTION__KEYFILE: other })).toMatchObject({
      code: 1,
      printed: expect.stringContaining('keys.json'),
    });
    expect(await (await postgres()).query(url, "select 1 from pg_tables where tablename = 'turn'")).toEqual([]);
  });
});

describe.skipIf(!hasPostgres)('helper backup and helper restore (contract/operations.md#copying)', () => {
  // proves configuration-7-71
  it('leaves backups to the tools of PostgreSQL, and says so', async () => {
    const { config, folder } = shop(onPostgres('postgres://helper@nowhere.invalid/helper'));
    const file = join(folder, 'backup.db');
    writeFileSync(file, '');
    for (const words of [
      ['backup', join(folder, 'new.db')],
      ['restore', file],
    ])
      expect(await helper([...words, '--config', config])).toMatchObject({
        code: 1,
        printed: expect.stringContaining('with storage.type postgres use the tools of PostgreSQL, such as pg_dump'),
      });
  });
});

function keyFile(folder: string, keys: string): string {
  const file = join(folder, 'keys.json');
  writeFileSync(file, keys);
  return file;
}

interface Printed {
  readonly code: number;
  readonly printed: string;
}

function copy({ folder, config }: Shop, environment: Readonly<Record<string, string>> = {}): Promise<Printed> {
  return helper(['storage', 'copy', '--from', join(folder, 'data'), '--config', config], environment);
}

/** Runs a command to its end. */
async function helper(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Printed> {
  const env = { ...processEnvironment, ...environment };
  const run = promisify(execFile)(process.execPath, [builtServer, ...words], { env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }; // what execFile rejects with
      return { code, printed: stdout + stderr };
    },
  );
}
