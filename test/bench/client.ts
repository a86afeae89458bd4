/**
 * The load generator: one process that works off the jobs its parent sends, so that it is warm for all of them. It opens
 * the connections of a job first and waits for `go`, so that the parent reads the server's CPU time at the right moment.
 */
import { EventStreamConnection } from './load/event-stream-connection.ts';
import { holdConnections } from './load/hold-connections.ts';
import { HubLoadConnection } from './load/hub-connection.ts';
import type { ClientOrder, ClientReport, LoadJob, LoadResult } from './load/load-job.ts';
import { LoadRun } from './load/load-run.ts';
import { ReturningConnections } from './load/returning-connections.ts';

let prepared: LoadRun | undefined;
let staying: ReturningConnections | undefined;

function failedResult(error: unknown): LoadResult {
  const none = { p50: Number.NaN, p99: Number.NaN };
  const reason = error instanceof Error ? error.message : String(error);
  return { replies: 0, seconds: 0, bytesPerReply: 0, firstToken: none, added: none, verified: 0, faults: [reason] };
}

async function prepare(job: LoadJob): Promise<ClientReport> {
  try {
    prepared = new LoadRun(job, (run, index) =>
      run.job.format === 'helper-hub' ? new HubLoadConnection(run, index) : new EventStreamConnection(run, index),
    );
    await prepared.open();
    return { kind: 'prepared' };
  } catch (error) {
    return { kind: 'finished', result: failedResult(error) };
  }
}

async function follow(order: ClientOrder): Promise<ClientReport> {
  switch (order.kind) {
    case 'prepare':
      return prepare(order.job);
    case 'hold':
      return { kind: 'held', result: await holdConnections(order.job) };
    case 'stay':
      staying = new ReturningConnections(order.job);
      return { kind: 'held', result: await staying.open() };
    case 'returned':
      if (staying === undefined) throw new Error('nothing was opened');
      return { kind: 'returned', result: await staying.result() };
    case 'go':
      return {
        kind: 'finished',
        result: prepared === undefined ? failedResult('nothing was prepared') : await prepared.measure(),
      };
  }
}

process.on('message', (order: ClientOrder) => {
  void follow(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => {
  process.exit(0);
});
