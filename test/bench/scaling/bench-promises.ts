/**
 * What replicas promise, measured: `npm run bench -- --promises`. PostgreSQL and Redis are started here, without a disk that is waited for.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres } from '../../support/databases/postgres.ts';
import { PostgresServer } from '../../support/databases/postgres-server.ts';
import { hasRedis, RedisServer } from '../../support/databases/redis.ts';
import { startOrderReplicas } from '../../support/replicas/order-replicas.ts';
import { startReplicas } from '../../support/replicas/replica-processes.ts';
import { calling, type ModelScript, saying } from '../../support/scripted-model.ts';
import { connections, tooFewFiles } from '../idle.ts';
import { freePort, programPath, startNode, stopAll, waitForPort } from '../processes/child-processes.ts';
import { LoadClient } from '../processes/load-client.ts';
import { describeMachine, measuredOn } from '../report/machine.ts';
import { measureAnswers } from './measure-answers.ts';
import { measureHubPath } from './measure-hub-path.ts';
import { measureReturn } from './measure-return.ts';
import { promisesFile, promisesTable, type PromiseFigures } from './promises-table.ts';

const replicaCount = 3;

type AtEnd = (end: () => void | Promise<void>) => void;

/** Asks for a write once, and says that it is done. */
const model: ModelScript = (exchange) => {
  const messages = exchange.request.body['messages'] as readonly { readonly role: string }[];
  if (messages.at(-1)?.role === 'tool') return saying('Done.')(exchange);
  return calling({ name: 'cancel_order', arguments: { id: 1 } })(exchange);
};

/** Prints the figures. With `write` keeps them; `npm run generate` puts them into the guide. */
export async function benchPromises({ write }: { readonly write: boolean }): Promise<void> {
  if (!hasPostgres || !hasRedis) throw new Error('needs scripts/install-databases.sh');
  const reason = tooFewFiles();
  if (reason !== undefined) throw new Error(reason);
  const machine = describeMachine();
  const directory = mkdtempSync(join(tmpdir(), 'bench-promises-'));
  const [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
  try {
    const shared = { postgres, redis };
    process.stderr.write('answers\n');
    const answers = await withEnds(async (atEnd) =>
      measureAnswers(
        await startOrderReplicas(replicaCount, shared, {
          atEnd,
          otherwise: model,
          environment: { HELPER__HITLMODE: 'Native' },
        }),
      ),
    );
    process.stderr.write('returns\n');
    const returned = await withEnds(async (atEnd) => {
      const replicas = await startReplicas(replicaCount, shared, {
        atEnd,
        environment: { HELPER__SERVER__MAXCONNECTIONSPERADDRESS: String(connections) },
        yaml: `actions: none\n`,
      });
      return measureReturn(replicas, { connections, directory });
    });
    const hub = await measureHubPath(await benchOf(directory), {
      database: await postgres.newDatabase(),
      redis: redis.url(),
    });
    const figures: PromiseFigures = {
      measured: measuredOn(machine, 'replicas, model, client, PostgreSQL and Redis on the same cores'),
      connections,
      answers,
      returned,
      hub,
    };
    console.log(promisesTable(figures));
    if (write) writeFileSync(promisesFile, `${JSON.stringify(figures, undefined, 2)}\n`);
  } finally {
    stopAll();
    await Promise.all([postgres.close(), redis.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function benchOf(directory: string): Promise<Parameters<typeof measureHubPath>[0]> {
  const upstreamPort = await freePort();
  const command = [programPath(new URL('../upstream.ts', import.meta.url)), '--port', String(upstreamPort)];
  await waitForPort(startNode({ core: 'load', command, logFile: join(directory, 'upstream.log') }), upstreamPort);
  const progress = (text: string): void => void process.stderr.write(`${text}\n`);
  // No target sends traces.
  return { upstreamPort, receiverPort: 0, directory, progress, client: new LoadClient(join(directory, 'client.log')) };
}

/** Ends afterwards what the work has started, the last first. */
async function withEnds<Value>(work: (atEnd: AtEnd) => Promise<Value>): Promise<Value> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    return await work((end) => void ends.push(end));
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
