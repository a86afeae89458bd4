/**
 * What one replica costs, and three: `npm run bench -- --replicas`. PostgreSQL and Redis are started here, without a disk that is waited for.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres } from '../../support/databases/postgres.ts';
import { PostgresServer } from '../../support/databases/postgres-server.ts';
import { hasRedis, RedisServer } from '../../support/databases/redis.ts';
import { freePort, programPath, startNode, stopAll, waitForPort } from '../processes/child-processes.ts';
import { describeMachine, measuredOn } from '../report/machine.ts';
import { measureReplicas, type ReplicaFigures } from './measure-replicas.ts';
import { figuresFile, measuredTable, modelTable, type ScalingFigures } from './scaling-tables.ts';

/** Idle connections of each replica. Those of three fit into the limit of open files of most machines. */
const connections = 3_000;

/** Prints the figures and what the model makes of them. With `write` keeps the figures; `npm run generate` puts them into the guide. */
export async function benchReplicas({ write }: { readonly write: boolean }): Promise<void> {
  if (!hasPostgres || !hasRedis) throw new Error('needs scripts/install-databases.sh');
  const machine = describeMachine();
  execFileSync(process.execPath, [programPath(new URL('../../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const directory = mkdtempSync(join(tmpdir(), 'bench-replicas-'));
  const [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
  try {
    const upstreamPort = await freePort();
    const command = [programPath(new URL('../upstream.ts', import.meta.url)), '--port', String(upstreamPort)];
    await waitForPort(startNode({ core: 'load', command, logFile: join(directory, 'upstream.log') }), upstreamPort);
    const measure = async (replicas: number, durableTurns = false): Promise<ReplicaFigures> => {
      process.stderr.write(`${String(replicas)} of them${durableTurns ? ', durable turns' : ''}\n`);
      return measureReplicas({ replicas, durableTurns, connections, postgres, redis, upstreamPort, directory });
    };
    const figures: ScalingFigures = {
      measured: measuredOn(
        machine,
        'all replicas on one core, model and client on another, PostgreSQL and Redis on both',
      ),
      connections,
      one: await measure(1),
      three: await measure(3),
      durable: await measure(3, true),
    };
    console.log(`${measuredTable(figures)}\n\n${modelTable(figures)}`);
    if (write) writeFileSync(figuresFile, `${JSON.stringify(figures, undefined, 2)}\n`);
  } finally {
    stopAll();
    await Promise.all([postgres.close(), redis.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}
