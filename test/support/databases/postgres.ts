import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import type { StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import { untilItAnswers } from './until-it-answers.ts';

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
const programs = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  ...versionsOf('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
].find((folder) => existsSync(join(folder, 'initdb')));

/** Whether PostgreSQL is installed here (`scripts/install-databases.sh`). */
export const hasPostgres = programs !== undefined;

function versionsOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted((a, b) => Number(b) - Number(a)) : [];
}

/** PostgreSQL refuses to run as root. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string): number => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A PostgreSQL server of its own, with one socket in its folder and no port. */
export class PostgresServer {
  readonly #folder: string;
  readonly #owner = owner();
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes an empty server and starts it. `close` ends it and deletes its folder. */
  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer(await mkdtemp(join(tmpdir(), 'postgres-')));
    const { uid, gid } = server.#owner;
    if (uid !== undefined && gid !== undefined) await chown(server.#folder, uid, gid);
    const options = ['--auth=trust', '--username=helper', '--encoding=UTF8', '--no-sync', '--no-instructions'];
    await promisify(execFile)(server.#program('initdb'), ['-D', server.#data, ...options], server.#as);
    await server.run();
    return server;
  }

  /** The folder of the server's socket. */
  get socketFolder(): string {
    return this.#folder;
  }

  /** The address of a database of this server. */
  url(database: string, folder = this.#folder): string {
    return `postgres://helper@/${database}?host=${encodeURIComponent(folder)}`;
  }

  /** Makes an empty database and gives its address. */
  async newDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `helper_${String(this.#databases)}`;
    await this.query('postgres', `create database ${name}`);
    return this.url(name);
  }

  async query(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts the server, again after `stop` or `kill`. Resolves once it answers. */
  async run(settings: readonly string[] = []): Promise<void> {
    const socketOnly = ['-k', this.#folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=60'];
    const more = settings.flatMap((setting) => ['-c', setting]);
    this.#process = spawn(this.#program('postgres'), ['-D', this.#data, ...socketOnly, ...more], {
      ...this.#as,
      stdio: 'ignore',
    });
    await untilItAnswers(() => this.query('postgres', 'select 1'), 20_000);
  }

  /** Ends the server at once and closes its connections. What was committed is there at the next start. */
  async stop(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async close(): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #as(): { readonly cwd: string; readonly uid?: number; readonly gid?: number } {
    return { cwd: this.#folder, ...this.#owner };
  }

  #program(name: string): string {
    if (programs === undefined) throw new Error('PostgreSQL is not installed');
    return join(programs, name);
  }
}

/** Makes an empty database for each call, in a server that the tests of a file share. MUST be called while the file is read. */
export function postgresOfFile(): () => Promise<PostgresStorage> {
  let server: Promise<PostgresServer> | undefined;
  afterAll(async () => {
    await (await server)?.close();
  });
  return async () => {
    server ??= PostgresServer.start();
    const { socketFolder } = await server;
    const path = await mkdtemp(join(socketFolder, 'path-'));
    return { type: 'postgres', path, url: await (await server).newDatabase(), maxConnections: 4 };
  };
}

/** `storage` of a server whose database is PostgreSQL. */
export type PostgresStorage = Extract<StorageOptions, { readonly type: 'postgres' }>;
