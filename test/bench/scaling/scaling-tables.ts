import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markdownTable } from '../../support/markdown-table.ts';
import type { ReplicaFigures } from './measure-replicas.ts';
import { type Sizing, sizeFor } from './sizing.ts';

/** What `npm run bench -- --replicas --write` has measured last. */
export interface ScalingFigures {
  /** The machine, the day and how busy it was, as a sentence. */
  readonly measured: string;
  readonly connections: number;
  readonly one: ReplicaFigures;
  readonly three: ReplicaFigures;
  /** Three with `server.durableTurns`. */
  readonly durable: ReplicaFigures;
}

export const figuresFile = join(import.meta.dirname, 'figures.json');

/** How many connections the model is asked about. */
const demands = [10_000, 100_000, 1_000_000] as const;

/** The figures that were measured last. */
export async function readFigures(): Promise<ScalingFigures> {
  const figures: unknown = JSON.parse(await readFile(figuresFile, 'utf8'));
  return figures as ScalingFigures; // the benchmark writes this file
}

/** What was measured. */
export function measuredTable({ measured, connections, ...figures }: ScalingFigures): string {
  const row = (title: string, show: (one: ReplicaFigures) => string): readonly string[] => [
    title,
    show(figures.one),
    show(figures.three),
    show(figures.durable),
  ];
  const rows = [
    row('memory of a replica at rest', ({ restMiB }) => `${restMiB.toFixed(0)} MiB`),
    row(
      `memory of an idle connection (${grouped(connections)} for each replica)`,
      ({ kibPerConnection }) => `${kibPerConnection.toFixed(1)} KiB`,
    ),
    row('CPU to open a connection', ({ cpuMsPerConnection }) => `${cpuMsPerConnection.toFixed(2)} ms`),
    row('CPU of a turn of 1 chunk', ({ cpuMsPerShortTurn }) => `${cpuMsPerShortTurn.toFixed(2)} ms`),
    row('CPU of a turn of 100 chunks, one every 20 ms', ({ cpuMsPerTurn }) => `${cpuMsPerTurn.toFixed(2)} ms`),
    row('turns of 1 chunk a second, all replicas on one core', ({ shortTurnsPerSecond }) =>
      shortTurnsPerSecond.toFixed(0),
    ),
    row('transactions of PostgreSQL for a turn', ({ transactionsPerTurn }) => transactionsPerTurn.toFixed(2)),
    row('commands of Redis for a turn', ({ commandsPerTurn }) => commandsPerTurn.toFixed(2)),
    row('transactions a second of an idle replica', (one) => one.idleTransactionsPerSecond.toFixed(2)),
    row('commands of Redis a second of an idle replica', (one) => one.idleCommandsPerSecond.toFixed(2)),
  ];
  return `${measured}\n\n${markdownTable(['', 'one replica', 'three', 'three, `durableTurns`'], rows)}`;
}

/** What the model says, from what was measured of replicas with `server.durableTurns`. */
export function modelTable({ durable }: ScalingFigures): string {
  const sizings = demands.map((connections) =>
    sizeFor({ connections, secondsBetweenMessages: 300, replySeconds: 10 }, durable),
  );
  const row = (title: string, show: (one: Sizing) => string): readonly string[] => [title, ...sizings.map(show)];
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const rows = [
    row('replicas, one of them to spare', ({ replicas, because }) => `${grouped(replicas)} (${because})`),
    row('turns begun a second', ({ turnsPerSecond }) => grouped(turnsPerSecond)),
    row('turns that run', ({ runningTurns }) => grouped(runningTurns)),
    row('memory of a replica with its idle connections', ({ mibPerReplica }) => `${grouped(mibPerReplica)} MiB`),
    row('CPU of a replica for turns', ({ cpuPerReplica }) => `${(cpuPerReplica * 100).toFixed(0)} %`),
    row('transactions of PostgreSQL a second', ({ transactionsPerSecond }) => grouped(transactionsPerSecond)),
    row('connections to PostgreSQL, at most', ({ databaseConnections }) => grouped(databaseConnections)),
    row('commands of Redis a second', ({ redisCommandsPerSecond }) => grouped(redisCommandsPerSecond)),
    row('a replica dies: connects in the worst second', ({ afterADeath }) => grouped(afterADeath.askedPerSecond)),
    row('a replica dies: all are back after', ({ afterADeath }) => seconds(afterADeath.backMs)),
    row('the balancer was away for 20 s: connects in the worst second', ({ afterAnOutage }) =>
      grouped(afterAnOutage.askedPerSecond),
    ),
    row('the balancer was away for 20 s: the longest wait to be taken', ({ afterAnOutage }) =>
      seconds(afterAnOutage.longestWaitMs),
    ),
    row('the balancer was away for 20 s: all are back after', ({ afterAnOutage }) => seconds(afterAnOutage.backMs)),
  ];
  return markdownTable(['open connections', ...demands.map(grouped)], rows);
}

/** A whole number with its thousands apart. */
function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
