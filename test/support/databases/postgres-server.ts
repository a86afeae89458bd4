import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { postgresPrograms } from '../tools-here.ts';
import { untilItAnswers } from './until-it-answers.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string): number => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function program(name: string): string {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed');
  return join(postgresPrograms, name);
}

/** A new folder of the user whom PostgreSQL runs as. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const { uid, gid } = owner();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return folder;
}

/** Makes the data of an empty server in a new folder, and gives the folder. */
export async function newPostgresData(): Promise<string> {
  const folder = await newFolder();
  const options = ['--auth=trust', '--username=helper', '--encoding=UTF8', '--no-sync', '--no-instructions'];
  await run(program('initdb'), ['-D', join(folder, 'data'), ...options], { cwd: folder, ...owner() });
  return folder;
}

/** Databases of a PostgreSQL server that is reached by a socket in its folder. */
export class PostgresDatabases {
  readonly socketFolder: string;
  readonly #made: string[] = [];

  constructor(socketFolder: string) {
    this.socketFolder = socketFolder;
  }

  /** The address of a database of the server. */
  url(database: string): string {
    return `postgres://helper@/${database}?host=${encodeURIComponent(this.socketFolder)}`;
  }

  /** Makes an empty database and gives its address. No other database of the server has its name. */
  async newDatabase(): Promise<string> {
    const name = `helper_${randomBytes(8).toString('hex')}`;
    await this.#use(this.url('postgres'), async (client) => {
      const { rows } = await client.query<{ isOld: boolean }>(
        `select current_setting('server_version_num')::int < 150000 as "isOld"`,
      );
      // Newer versions write all of the database to their log, which takes twice the CPU time.
      await client.query(`create database ${name}${rows[0]?.isOld === true ? '' : ' strategy file_copy'}`);
    });
    this.#made.push(name);
    return this.url(name);
  }

  query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    return this.#use(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
  }

  /** Deletes the databases that were made here, whoever still uses them. */
  async drop(): Promise<void> {
    await this.#use(this.url('postgres'), async (client) => {
      for (const name of this.#made.splice(0)) await client.query(`drop database ${name} with (force)`);
    });
  }

  async #use<Value>(url: string, work: (client: Client) => Promise<Value>): Promise<Value> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

interface PostgresOptions {
  readonly data?: string;
  /** As `name=value`. */
  readonly settings?: readonly string[];
}

/** A PostgreSQL server of its own, with one socket in its folder and no port. */
export class PostgresServer extends PostgresDatabases {
  #process: ChildProcess | undefined;

  /** Starts an empty server, with a copy of `data` if it is given (`newPostgresData`). `close` ends it and deletes its folder. */
  static async start({ data, settings }: PostgresOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(data === undefined ? await newPostgresData() : await newFolder());
    // This takes a quarter of the CPU time of making it.
    if (data !== undefined) await run('cp', ['-a', '--reflink=auto', join(data, 'data'), server.socketFolder]);
    await server.run(settings);
    return server;
  }

  /** Starts the server, again after `stop`. Resolves once it answers. */
  async run(settings: readonly string[] = []): Promise<void> {
    const folder = this.socketFolder;
    const quick = ['fsync=off', 'wal_level=minimal', 'max_wal_senders=0'];
    const all = ['listen_addresses=', 'max_connections=60', ...quick, ...settings].flatMap((setting) => [
      '-c',
      setting,
    ]);
    this.#process = spawn(program('postgres'), ['-D', join(folder, 'data'), '-k', folder, ...all], {
      cwd: folder,
      ...owner(),
      stdio: 'ignore',
    });
    await untilItAnswers(() => this.query(this.url('postgres'), 'select 1'), 20_000);
  }

  /** Ends the server at once and closes its connections. What was committed is there at the next start. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGQUIT');
    await exited;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.socketFolder, { recursive: true, force: true });
  }
}
