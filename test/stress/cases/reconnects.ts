import { setTimeout as wait } from 'node:timers/promises';
import { RawHubClient } from '../../support/hub-raw-client.ts';
import { openDescriptors } from '../../support/stress/process-figures.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { until } from '../../support/stress/until.ts';

const connections = 2_000;
const everyMs = 5;
const limitMs = 8_000;

export const reconnects: StressCase = {
  name: 'reconnects',
  attack:
    '2,000 connections of the hub are opened and closed in 10 s: politely, cut after the handshake, cut in the middle of it',
  promise: 'none stays counted (`helperagent_connections`), no descriptor is left',
  async play(server, must) {
    const { hub, pid } = server;
    const before = openDescriptors(pid);
    const startedAt = performance.now();
    const running: Promise<void>[] = [];
    let failures = 0;
    for (let index = 0; index < connections; index += 1) {
      await wait(Math.max(0, startedAt + index * everyMs - performance.now()));
      running.push(visit(hub, index).catch(() => void (failures += 1)));
    }
    await Promise.all(running);
    const seconds = (performance.now() - startedAt) / 1000;
    must(failures === 0, `${String(failures)} connections could not be opened`);
    must(seconds < 12, `they took ${seconds.toFixed(1)} s`);
    const counted = (): Promise<number> => server.metric('helperagent_connections', 'channel="hub"');
    must(await until(async () => (await counted()) === 0, limitMs), `${String(await counted())} stay counted`);
    // The number of connections that the chats beside may have open at any moment.
    const few = 4;
    const isBack = await until(() => openDescriptors(pid) <= before + few, limitMs);
    must(isBack, `${String(openDescriptors(pid))} descriptors are open, ${String(before)} were`);
    return `${(connections / seconds).toFixed(0)} a second; ${String(await counted())} counted afterwards; ${String(before)} descriptors before, ${String(openDescriptors(pid))} after`;
  },
};

/** Opens a connection, and ends it in one of three ways. */
async function visit(hub: string, index: number): Promise<void> {
  if (index % 3 === 0) {
    const client = await RawHubClient.open(hub);
    client.socket.terminate();
    await client.closed;
    return;
  }
  const client = await RawHubClient.connect(hub);
  if (index % 3 === 1) client.socket.close();
  else client.socket.terminate();
  await client.closed;
}
