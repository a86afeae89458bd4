import { RawHubClient } from '../../support/hub-raw-client.ts';
import { openRawConnection, requestText } from '../../support/raw-connection.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';
import { until } from '../../support/stress/until.ts';

const senders = 20;
const crumbs = 50_000;
const limitMs = 30_000;

export const crumbledMessages: StressCase = {
  name: 'crumbled messages',
  attack: `${String(senders)} messages come in chunks of one byte over HTTP, and ${String(senders)} in fragments of one byte on the hub`,
  once: 'a hundred times their size in memory',
  promise: 'memory as for messages that come whole; over HTTP 400, on the hub the connection ends with 1008',
  async play({ url, hub }, must) {
    const clients = await Promise.all(Array.from({ length: senders }, () => RawHubClient.connect(hub)));
    for (const { socket } of clients)
      for (let crumb = 0; crumb < crumbs / 10; crumb += 1) socket.send('x', { fin: false });
    const codes = await Promise.all(clients.map(async ({ closed }) => (await closed).code));
    must(
      codes.every((code) => code === 1008),
      `the hub ended connections with ${tally(codes)}`,
    );
    const statuses = await Promise.all(Array.from({ length: senders }, () => postedInCrumbs(url)));
    must(
      statuses.every((status) => status === 400),
      `the messages were answered ${tally(statuses)}`,
    );
    return `over HTTP ${tally(statuses)}; on the hub ${tally(codes)}`;
  },
};

/** No JSON, so that no turn begins. */
const body = Array.from({ length: crumbs }, () => '1\r\nx\r\n').join('');

/** The status of the answer, or 0 where none came. */
async function postedInCrumbs(url: string): Promise<number> {
  const connection = await openRawConnection(url);
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  connection.send(requestText('POST /helper/chat', headers));
  connection.send(body);
  connection.send('0\r\n\r\n');
  await until(() => connection.statuses().length > 0, limitMs);
  connection.socket.destroy();
  return connection.statuses()[0] ?? 0;
}
