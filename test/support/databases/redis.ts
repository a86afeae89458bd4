import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { isHere } from '../tools-here.ts';
import { untilItAnswers } from './until-it-answers.ts';

/** Whether Redis is installed here. */
export const hasRedis = isHere('redis');

/** A Redis server of its own, with one socket in its folder and no port unless its settings name one. It keeps nothing on disk. */
export class RedisServer {
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, settings: readonly string[]) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Starts a server. `settings` are further arguments of `redis-server`. `close` ends it and deletes its folder. */
  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await mkdtemp(join(tmpdir(), 'redis-')), settings);
    await server.run();
    return server;
  }

  /** Starts a Sentinel with this file, which it writes to. */
  static async startSentinel(file: string, port: number): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'redis-'));
    const server = new RedisServer(folder, []);
    const options = ['--port', String(port), '--unixsocket', server.socket, '--dir', folder];
    server.#process = spawn('redis-server', [file, '--sentinel', ...options], { stdio: 'ignore' });
    await untilItAnswers(() => server.#answers(), 10_000);
    return server;
  }

  get folder(): string {
    return this.#folder;
  }

  get socket(): string {
    return join(this.#folder, 'redis.sock');
  }

  /** The address of the server for a user of it. */
  url(credentials = ''): string {
    return `redis+unix://${credentials === '' ? '' : `${credentials}@`}localhost${this.socket}`;
  }

  /** Starts the server, again after `kill`. It is empty then. Resolves once it answers. */
  async run(): Promise<void> {
    const options = [
      '--port',
      '0',
      '--unixsocket',
      this.socket,
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      this.#folder,
    ];
    this.#process = spawn('redis-server', [...options, ...this.#settings], { stdio: 'ignore' });
    await untilItAnswers(() => this.#answers(), 10_000);
  }

  /** Ends the server at once. Its connections break. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }

  /** Makes the server stand still. Its connections stay open. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Deletes all that is stored. Its connections stay open. */
  async flush(): Promise<void> {
    await this.use((client) => client.flushall());
  }

  /** Gives `work` a connection with all rights. */
  async use<Value>(work: (client: Redis) => Promise<Value>): Promise<Value> {
    const client = new Redis({ path: this.socket, lazyConnect: true });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    const socket = connect(this.socket);
    try {
      await once(socket, 'connect');
      socket.write('PING\r\n');
      await once(socket, 'data');
    } finally {
      socket.destroy();
    }
  }
}

/** A server that the tests of a file share. MUST be called while the file is read. */
export function redisOfFile(settings: readonly string[] = []): () => Promise<RedisServer> {
  let server: Promise<RedisServer> | undefined;
  afterAll(async () => {
    await (await server)?.close();
  });
  return () => {
    server ??= RedisServer.start(settings);
    return server;
  };
}
