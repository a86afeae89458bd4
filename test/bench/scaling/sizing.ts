import type { ReplicaFigures } from './measure-replicas.ts';
import { returnStorm, type ReturnStorm } from './return-storm.ts';

/** What the users of a deployment do. */
export interface Demand {
  readonly connections: number;
  /** Seconds from one message of a connection to its next. */
  readonly secondsBetweenMessages: number;
  /** How long a reply is written, in seconds. */
  readonly replySeconds: number;
}

/** What a deployment needs. */
export interface Sizing {
  readonly replicas: number;
  /** Why there are that many. */
  readonly because: 'connections' | 'turns';
  readonly turnsPerSecond: number;
  readonly runningTurns: number;
  readonly mibPerReplica: number;
  /** The part of one core that a replica uses, with all replicas there. */
  readonly cpuPerReplica: number;
  readonly transactionsPerSecond: number;
  /** Connections of all replicas to PostgreSQL, at most. */
  readonly databaseConnections: number;
  /** Commands, those in scripts included. */
  readonly redisCommandsPerSecond: number;
  readonly afterADeath: ReturnStorm;
  /** After the balancer was away for 20 s. */
  readonly afterAnOutage: ReturnStorm;
}

/** Half of `server.maxConnections`: the others must have room for those of a replica that dies. */
export const connectionsPerReplica = 10_000;
/** The part of its core that a replica may use for turns. */
const cpuForTurns = 0.5;
/** Names of connections are kept every 20 s, each with a look and a write. */
const commandsPerName = 2;
const nameSeconds = 20;
/** The default of `storage.maxConnections`. */
const poolSize = 10;
/** How long the model lets the balancer be away, in milliseconds. */
export const outageMs = 20_000;

/**
 * Says what a deployment needs, from what replicas were measured to cost. One replica is more than are needed, so that one may be away.
 */
export function sizeFor({ connections, secondsBetweenMessages, replySeconds }: Demand, cost: ReplicaFigures): Sizing {
  const turnsPerSecond = connections / secondsBetweenMessages;
  const cpuSeconds = (turnsPerSecond * cost.cpuMsPerTurn) / 1_000;
  const forConnections = Math.ceil(connections / connectionsPerReplica);
  const forTurns = Math.ceil(cpuSeconds / cpuForTurns);
  const replicas = Math.max(forConnections, forTurns) + 1;
  const takenByOne = 1_000 / cost.cpuMsPerConnection;
  const perReplica = connections / replicas;
  return {
    replicas,
    because: forTurns > forConnections ? 'turns' : 'connections',
    turnsPerSecond,
    runningTurns: turnsPerSecond * replySeconds,
    mibPerReplica: cost.restMiB + (perReplica * cost.kibPerConnection) / 1_024,
    cpuPerReplica: cpuSeconds / replicas,
    transactionsPerSecond: turnsPerSecond * cost.transactionsPerTurn + replicas * cost.idleTransactionsPerSecond,
    databaseConnections: replicas * poolSize,
    redisCommandsPerSecond:
      turnsPerSecond * cost.commandsPerTurn +
      replicas * cost.idleCommandsPerSecond +
      (connections * commandsPerName) / nameSeconds,
    afterADeath: returnStorm({ clients: perReplica, awayMs: 0, takenPerSecond: (replicas - 1) * takenByOne }),
    afterAnOutage: returnStorm({ clients: connections, awayMs: outageMs, takenPerSecond: replicas * takenByOne }),
  };
}
