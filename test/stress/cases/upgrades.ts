import { openRawConnection, requestText } from '../../support/raw-connection.ts';
import { openDescriptors } from '../../support/stress/process-figures.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';
import { until } from '../../support/stress/until.ts';

const methods = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'SPEAK', 'ge\u0000t', 'GET'];
const paths = ['/helper-hub?id=x', '/helper-hub', '/helper/chat', '/healthz', '/nothing'];
const rounds = 5;
const atOnce = 2;
const limitMs = 5_000;

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  // Without a key that is valid, not even GET of the hub becomes a WebSocket.
  'sec-websocket-key': 'none',
};

export const failedUpgrades: StressCase = {
  name: 'failed upgrades',
  attack: '500 requests with `Upgrade: websocket` that cannot become one: other methods, none at all, other addresses',
  once: 'sockets without an answer that stayed open, and a process that did not end',
  promise: 'each is answered and closed; no descriptor is left',
  async play({ url, pid }, must) {
    const before = openDescriptors(pid);
    const statuses: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const one = methods.flatMap((method) => paths.map((path) => `${method} ${path}`));
      const asks = Array.from({ length: atOnce }, () => one).flat();
      statuses.push(...(await Promise.all(asks.map((ask) => answered(url, ask)))));
    }
    must(!statuses.includes(0), `they were answered ${tally(statuses)}`);
    must(
      statuses.every((status) => status === 200 || (status >= 400 && status < 500)),
      `they were answered ${tally(statuses)}`,
    );
    // The number of connections that the chats beside may have open at any moment.
    const few = 4;
    const isBack = await until(() => openDescriptors(pid) <= before + few, limitMs);
    must(isBack, `${String(openDescriptors(pid))} descriptors are open, ${String(before)} were`);
    return `${tally(statuses)}; ${String(before)} descriptors before, ${String(openDescriptors(pid))} after`;
  },
};

/** The status of the answer. 0 when the server has not answered and closed the connection in time. */
async function answered(url: string, ask: string): Promise<number> {
  const connection = await openRawConnection(url);
  connection.send(requestText(ask, upgrade));
  const isClosed = await until(() => connection.socket.closed, limitMs);
  connection.socket.destroy();
  return isClosed ? (connection.statuses()[0] ?? 0) : 0;
}
