import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { freePort } from '../free-port.ts';
import { hasPostgres, ownPostgres, postgresOfRun } from '../databases/postgres.ts';
import type { PostgresDatabases, PostgresServer } from '../databases/postgres-server.ts';
import { hasRedis, redisOfFile, type RedisServer } from '../databases/redis.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { roundRobin, type RoundRobin } from './round-robin.ts';

/** What replicas share: one PostgreSQL and one Redis. */
export interface SharedServices {
  readonly postgres: PostgresDatabases;
  readonly redis: RedisServer;
}

export interface OwnServices extends SharedServices {
  readonly postgres: PostgresServer;
}

/** One replica, as a process of its own. */
export interface Replica extends Omit<ServerProcess, 'url'> {
  readonly url: string;
}

export interface Replicas {
  readonly replicas: readonly Replica[];
  /** Takes each request to the next replica. */
  readonly balancer: RoundRobin;
  /** The address of their database. */
  readonly database: string;
  /** The configuration file, which all of them read. */
  readonly config: string;
  /** The replica with this index. */
  readonly at: (index: number) => Replica;
  /** Starts a replica that has ended once more, at another address. */
  readonly restart: (index: number) => Promise<void>;
  /** Starts another replica in the place of one, and then ends that one, as a rolling upgrade does. Resolves once it has ended. */
  readonly replace: (index: number) => Promise<void>;
}

export interface ReplicasOptions {
  /** Further lines of the configuration, as YAML. */
  readonly yaml?: string;
  /** Files beside the configuration, by their paths from there. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** `server.publicUrl` is the address of the balancer. */
  readonly isPublic?: boolean;
  /** Gets what ends each part. Left out, the test's end ends it. */
  readonly atEnd?: (end: () => void | Promise<void>) => void;
}

/** Whether replicas can run here (`scripts/install-databases.sh`). */
export const hasReplicas = hasPostgres && hasRedis;

/** The PostgreSQL of the run, and a Redis that the replicas of a file share. MUST be called while the file is read. */
export function servicesOfFile(): () => Promise<SharedServices> {
  const [openPostgres, openRedis] = [postgresOfRun(), redisOfFile()];
  return async () => {
    const [postgres, redis] = await Promise.all([openPostgres(), openRedis()]);
    return { postgres, redis };
  };
}

/** Services that the tests of a file may stop and start again. MUST be called while the file is read. */
export function ownServicesOfFile(): () => Promise<OwnServices> {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  const openRedis = redisOfFile();
  let postgres: Promise<PostgresServer> | undefined;
  return async () => {
    postgres ??= ownPostgres((end) => void ends.push(end));
    return { postgres: await postgres, redis: await openRedis() };
  };
}

/** Replicas that the tests of a file share, as `startReplicas` starts them. MUST be called while the file is read. */
export function replicasOfFile(
  count: number,
  services: () => Promise<SharedServices>,
  options: ReplicasOptions = {},
): () => Promise<Replicas> {
  const ends: (() => void | Promise<void>)[] = [];
  let started: Promise<Replicas> | undefined;
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => {
    started ??= services().then((shared) =>
      startReplicas(count, shared, { ...options, atEnd: (end) => void ends.push(end) }),
    );
    return started;
  };
}

/**
 * Starts replicas with the demo model on a database of their own, and a round-robin balancer before them. Everything ends with the test. The
 * replicas of each call have a prefix of their own in Redis.
 */
export async function startReplicas(
  count: number,
  { postgres, redis }: SharedServices,
  { yaml = '', files = {}, environment = {}, isPublic = false, atEnd = onTestFinished }: ReplicasOptions = {},
): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-replicas-'));
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const config = join(folder, 'helper.yaml');
  writeFileSync(config, `${configuration(count)}${yaml}`);
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const database = await postgres.newDatabase();
  const shared = {
    HELPER__STORAGE__URL: database,
    HELPER__SCALEOUT__URL: redis.url(),
    HELPER__SCALEOUT__PREFIX: `t${folder.slice(-6).toLowerCase()}`,
    ...environment,
  };
  // A server with a public address prints that one alone, so its own must be known before.
  const ports = isPublic ? await Promise.all(Array.from({ length: count }, freePort)) : [];
  const publicBalancer = isPublic ? await roundRobin(ports.map(localUrl), atEnd) : undefined;
  const start = async (index: number): Promise<Replica> => {
    const port = ports[index];
    const own = { HELPER__SERVER__PORT: String(port), HELPER__SERVER__PUBLICURL: publicBalancer?.url ?? '' };
    const process = startServerProcess({
      folder: mkdtempSync(join(folder, `replica-${String(index)}-`)),
      config,
      environment: port === undefined ? shared : { ...shared, ...own },
      atEnd,
    });
    const printed = await process.url;
    return { ...process, url: port === undefined ? printed : localUrl(port) };
  };
  const replicas = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const at = (index: number): Replica => {
    const replica = replicas[index];
    if (replica === undefined) throw new Error('there are fewer replicas');
    return replica;
  };
  const balancer =
    publicBalancer ??
    (await roundRobin(
      replicas.map(({ url }) => url),
      atEnd,
    ));
  const restart = async (index: number): Promise<void> => {
    const replica = await start(index);
    replicas[index] = replica;
    balancer.move(index, replica.url);
  };
  const replace = async (index: number): Promise<void> => {
    const old = at(index);
    await restart(index);
    await old.kill('SIGTERM');
  };
  return { replicas, database, config, balancer, at, restart, replace };
}

function localUrl(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

function configuration(replicas: number): string {
  return `appName: Replicas
chatClient: demo
models: { demo: { provider: demo } }
server: { shutdownGrace: 0s }
storage: { type: postgres }
scaleOut: { type: redis, replicas: ${String(replicas)} }
dataProtection: { keys: ['${Buffer.alloc(32, 7).toString('base64')}'] }
`;
}
