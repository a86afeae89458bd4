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
  readonly because: 'connections' | 'turns' | 'returns';
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
/** Coming back is a look for the old connection, a negotiation and a new connection. */
const returnCost = 2;
/** The longest that a client of a dead replica should wait, in milliseconds. */
const mostWaitMs = 5_000;
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
  const takenByOne = 1_000 / (cost.cpuMsPerConnection * returnCost);
  const { needed, because } = most({
    connections: Math.ceil(connections / connectionsPerReplica),
    turns: Math.ceil(cpuSeconds / cpuForTurns),
    returns: replicasForReturns(connections, takenByOne) - 1,
  });
  const replicas = needed + 1;
  const perReplica = connections / replicas;
  return {
    replicas,
    because,
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

/** With how many replicas one may die, so that its clients do not wait for too long until the others take them. */
function replicasForReturns(connections: number, takenByOne: number): number {
  let replicas = 2;
  while (connections / replicas / ((replicas - 1) * takenByOne) > mostWaitMs / 1_000) replicas += 1;
  return replicas;
}

/** What needs the most replicas, and how many. */
function most(
  needs: Readonly<Record<Sizing['because'], number>>,
): Pick<Sizing, 'because'> & { readonly needed: number } {
  const needed = Math.max(needs.connections, needs.turns, needs.returns);
  const because = needs.connections === needed ? 'connections' : needs.turns === needed ? 'turns' : 'returns';
  return { needed, because };
}
