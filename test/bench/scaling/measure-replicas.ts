import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { PostgresServer } from '../../support/databases/postgres-server.ts';
import type { RedisServer } from '../../support/databases/redis.ts';
import { helperConfiguration } from '../fixtures/helper-configuration.ts';
import { jobOf } from '../measure.ts';
import { freePort, startNode, stop, waitForPort } from '../processes/child-processes.ts';
import { LoadClient } from '../processes/load-client.ts';
import { type Usage, usageAfterCollection, usageOf } from '../processes/usage.ts';
import { modelNameOf, type ReplyPlan } from '../reply-plan.ts';
import { full, fullHub, helperProgram } from '../targets.ts';
import { turnPlan, workloads } from '../workloads.ts';

/** Milliseconds that a replica may take to start beside the others. */
const startMs = 120_000;
/** Turns of each replica: those before anything is measured, so that their code is compiled, and those that are. */
const warmUpTurns = 1_500;
const measuredTurns = 1_000;
/** Milliseconds in which PostgreSQL tells what a transaction has done. */
const statisticsMs = 1_500;
/** Seconds of idling: replicas keep the names of their connections every 20 s. */
const idleSeconds = 20;
const message = 'Where is order 1042, and when will it be here?';

/** What replicas cost, each by itself unless the name says otherwise. */
export interface ReplicaFigures {
  readonly restMiB: number;
  readonly kibPerConnection: number;
  readonly cpuMsPerConnection: number;
  /** Of all replicas together, which share a core. */
  readonly shortTurnsPerSecond: number;
  /** A turn of one chunk, and one of 100 chunks that trickle in. */
  readonly cpuMsPerShortTurn: number;
  readonly cpuMsPerTurn: number;
  readonly transactionsPerTurn: number;
  readonly commandsPerTurn: number;
  readonly idleTransactionsPerSecond: number;
  /** Commands to Redis, those in scripts included. Without the names of connections. */
  readonly idleCommandsPerSecond: number;
}

export interface MeasuredGroup {
  readonly replicas: number;
  readonly durableTurns: boolean;
  /** Idle hub connections for each replica. */
  readonly connections: number;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly upstreamPort: number;
  readonly directory: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts the replicas, measures them, and ends them. */
export async function measureReplicas(group: MeasuredGroup): Promise<ReplicaFigures> {
  const url = await group.postgres.newDatabase();
  const replicas: Running[] = [];
  // One after the other: they share a core, and each must listen in time.
  for (let index = 0; index < group.replicas; index += 1) replicas.push(await startReplica(group, url, index));
  const clients = replicas.map(
    (_, index) => new LoadClient(join(group.directory, `${nameOf(group)}-client-${String(index)}.log`)),
  );
  try {
    const used = await resources(group, url);
    const rest = await mean(replicas, async ({ child }) => (await usageAfterCollection(child)).residentBytes / 2 ** 20);
    await wait(idleSeconds * 1_000);
    const idle = await used();
    const held = await holdConnections(group, replicas);
    await load(replicas, clients, { plan: turnPlan, concurrency: 16, replies: warmUpTurns * group.replicas });
    const turns = measuredTurns * group.replicas;
    const before = await resources(group, url);
    const short = await load(replicas, clients, { plan: turnPlan, concurrency: 16, replies: turns });
    const work = await before();
    const { plan } = workloads.paced;
    const paced = await load(replicas, clients, { plan, concurrency: 96, replies: 384 });
    const perSecond = (count: number): number => count / idle.seconds / group.replicas;
    // What replicas do anyhow is not the turns'.
    const perTurn = (count: number, whileIdle: number): number =>
      Math.max(0, (count - (whileIdle / idle.seconds) * work.seconds) / turns);
    return {
      restMiB: rest,
      ...held,
      shortTurnsPerSecond: short.perSecond,
      cpuMsPerShortTurn: short.cpuMs,
      cpuMsPerTurn: paced.cpuMs,
      transactionsPerTurn: perTurn(work.transactions, idle.transactions),
      commandsPerTurn: perTurn(work.commands, idle.commands),
      idleTransactionsPerSecond: perSecond(idle.transactions),
      idleCommandsPerSecond: perSecond(idle.commands),
    };
  } finally {
    await Promise.all([...clients.map((client) => client.close()), ...replicas.map(({ child }) => stop(child))]);
  }
}

function nameOf({ replicas, durableTurns }: MeasuredGroup): string {
  return `${String(replicas)}${durableTurns ? '-durable' : ''}`;
}

async function startReplica(group: MeasuredGroup, url: string, index: number): Promise<Running> {
  const directory = join(group.directory, `${nameOf(group)}-${String(index)}`);
  mkdirSync(directory);
  const port = await freePort();
  const fixture = { features: 'full' as const, port, upstreamPort: group.upstreamPort, directory };
  const plans: readonly ReplyPlan[] = [turnPlan, workloads.paced.plan];
  const [main, ...others] = plans.map(modelNameOf);
  const own = parse(helperConfiguration({ ...fixture, model: main ?? '' })) as {
    readonly models: { readonly main: object };
    readonly server: object;
  }; // our own fixture
  const file = join(directory, 'helper.yaml');
  writeFileSync(
    file,
    stringify({
      ...own,
      // The message says which reply is wanted, by a pattern: one server gives both kinds.
      models: { ...own.models, ...Object.fromEntries(others.map((model) => ['paced', { ...own.models.main, model }])) },
      strongChatClient: 'paced',
      routingStrategy: 'Custom',
      useStrongModel: { pattern: 'Compare' },
      server: { ...own.server, durableTurns: group.durableTurns },
      storage: { type: 'postgres', url },
      scaleOut: { type: 'redis', url: group.redis.url(), prefix: `bench-${nameOf(group)}`, replicas: group.replicas },
      dataProtection: { keys: [Buffer.alloc(32, 7).toString('base64')] },
    }),
  );
  const command = [helperProgram, 'start', '--config', file];
  const logFile = join(directory, 'log');
  const child = startNode({ core: 'server', command, directory, logFile, withReporter: true });
  try {
    await waitForPort(child, port, startMs);
  } catch (error) {
    throw new Error(`a replica did not start. The end of its log:\n${readFileSync(logFile, 'utf8').slice(-1_500)}`, {
      cause: error,
    });
  }
  return { child, port };
}

/** Opens idle connections on each replica, and closes them again. */
async function holdConnections(
  group: MeasuredGroup,
  replicas: readonly Running[],
): Promise<Pick<ReplicaFigures, 'kibPerConnection' | 'cpuMsPerConnection'>> {
  const { connections } = group;
  const holders = replicas.map(() => new LoadClient(join(group.directory, 'holder.log')));
  try {
    const rest = await mean(replicas, async ({ child }) => (await usageAfterCollection(child)).residentBytes);
    const before = await mean(replicas, async ({ child }) => (await usageOf(child)).cpuMicroseconds);
    const held = await Promise.all(
      replicas.map(async ({ port }, index) => holders[index]?.hold({ port, path: fullHub.path, connections })),
    );
    const faults = held.flatMap((result) => result?.faults ?? []);
    if (faults.length > 0) throw new Error(faults.join('; '));
    const after = await mean(replicas, async ({ child }) => (await usageOf(child)).cpuMicroseconds);
    const filled = await mean(replicas, async ({ child }) => (await usageAfterCollection(child)).residentBytes);
    return {
      kibPerConnection: (filled - rest) / 1024 / connections,
      cpuMsPerConnection: (after - before) / 1_000 / connections,
    };
  } finally {
    await Promise.all(holders.map((holder) => holder.close()));
  }
}

interface Load {
  readonly plan: ReplyPlan;
  readonly concurrency: number;
  /** Of all replicas together. */
  readonly replies: number;
}

async function load(
  replicas: readonly Running[],
  clients: readonly LoadClient[],
  { plan, concurrency, replies }: Load,
): Promise<{ readonly perSecond: number; readonly cpuMs: number }> {
  const share = (count: number): number => Math.round(count / replicas.length);
  const used = async (): Promise<readonly Usage[]> => Promise.all(replicas.map(({ child }) => usageOf(child)));
  const before = await used();
  const results = await Promise.all(
    replicas.map(async ({ port, child }, index) => {
      const asked = {
        plan,
        concurrency: share(concurrency),
        message: plan === turnPlan ? message : `${message} Compare.`,
      };
      const job = jobOf(asked, { target: full, port, child }, share(replies));
      return clients[index]?.run(job, () => Promise.resolve());
    }),
  );
  const after = await used();
  const faults = results.flatMap((result) => result?.faults ?? []);
  if (faults.length > 0) throw new Error(faults.join('; '));
  const done = results.reduce((sum, result) => sum + (result?.replies ?? 0), 0);
  const cpu = after.reduce(
    (sum, usage, index) => sum + usage.cpuMicroseconds - (before[index]?.cpuMicroseconds ?? 0),
    0,
  );
  return {
    perSecond: results.reduce((sum, result) => sum + (result === undefined ? 0 : result.replies / result.seconds), 0),
    cpuMs: cpu / 1_000 / done,
  };
}

interface Spent {
  readonly seconds: number;
  readonly transactions: number;
  readonly commands: number;
}

/** Gives what PostgreSQL and Redis have done from this call to that of the result. */
async function resources({ postgres, redis }: MeasuredGroup, url: string): Promise<() => Promise<Spent>> {
  const database = /\/(\w+)\?/.exec(url)?.[1] ?? '';
  const look = async (): Promise<Spent> => {
    await wait(statisticsMs);
    const [row] = await postgres.query(
      postgres.url('postgres'),
      `select xact_commit from pg_stat_database where datname = '${database}'`,
    );
    const told = await redis.use((client) => client.info('stats'));
    const commands = Number(/total_commands_processed:(\d+)/.exec(told)?.[1]);
    return { seconds: performance.now() / 1_000, transactions: Number(row?.['xact_commit']), commands };
  };
  const before = await look();
  return async () => {
    const after = await look();
    return {
      seconds: after.seconds - before.seconds,
      transactions: after.transactions - before.transactions,
      commands: after.commands - before.commands,
    };
  };
}

async function mean(replicas: readonly Running[], figure: (replica: Running) => Promise<number>): Promise<number> {
  const figures = await Promise.all(replicas.map(figure));
  return figures.reduce((sum, value) => sum + value, 0) / figures.length;
}
