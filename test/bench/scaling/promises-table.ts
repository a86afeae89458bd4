import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markdownTable } from '../../support/markdown-table.ts';
import type { ReturnResult } from '../load/load-job.ts';
import type { AnswerFigures } from './measure-answers.ts';
import type { HubPathFigures } from './measure-hub-path.ts';

/** What `npm run bench -- --promises --write` has measured last. */
export interface PromiseFigures {
  /** The machine, the day and how busy it was, as a sentence. */
  readonly measured: string;
  readonly connections: number;
  readonly answers: AnswerFigures;
  readonly returned: ReturnResult;
  readonly hub: HubPathFigures;
}

export const promisesFile = join(import.meta.dirname, 'promises.json');

/** The figures that were measured last. */
export async function readPromises(): Promise<PromiseFigures> {
  const figures: unknown = JSON.parse(await readFile(promisesFile, 'utf8'));
  return figures as PromiseFigures; // the benchmark writes this file
}

/** What was measured. */
export function promisesTable({ measured, connections, answers, returned, hub }: PromiseFigures): string {
  const { ownP50, ownP99, otherP50, otherP99 } = answers;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const ratio = (value: number): string => value.toFixed(2);
  const count = (value: number): string => value.toLocaleString('en-US');
  const rows = [
    ['an answer on the replica that asked: p50, p99', `${ms(ownP50)}, ${ms(ownP99)}`],
    ['the same on another replica: p50, p99', `${ms(otherP50)}, ${ms(otherP99)}`],
    ['CPU of a reply over the hub, as a multiple of one process alone: 200 chunks at once', ratio(hub.burst)],
    ['the same, 100 chunks, one every 20 ms', ratio(hub.paced)],
    [
      `${count(connections)} idle connections, one of three replicas killed: clients that lost theirs`,
      count(returned.broken),
    ],
    ['the same: those that came back', count(returned.back)],
    ['the same: until the last was back', `${(returned.backMs / 1_000).toFixed(1)} s`],
    ['the same: attempts in the busiest second', count(returned.askedPerSecond)],
  ];
  return `${measured}\n\n${markdownTable(['', 'three replicas'], rows)}`;
}
