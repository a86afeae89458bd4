import { type HubRecord, RawHubClient, UpgradeRefused } from '../../support/hub-raw-client.ts';
import { openSse, type SseConversation } from '../../support/sse-client.ts';
import { type HeldReplies, heldReplies } from '../../support/stress/held-replies.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';
import { until } from '../../support/stress/until.ts';

const elsewhere = '127.0.0.3';
/** As shipped (contract/limits.md#callers). */
const [maxTurns, maxConnections] = [100, 500];
const tooMany = 20;
const limitMs = 8_000;

const held: HeldReplies = heldReplies();

export const turnsPerAddress: StressCase = {
  name: 'turns of one address',
  attack: `an anonymous address begins ${String(maxTurns + tooMany)} turns that do not end`,
  promise:
    'those over `server.maxTurnsPerAddress` are 429 `rate_limited` with `Retry-After`, on the hub refused as `overloaded`; another address is served; places come back',
  server: { script: held.script, settings: { server: { disconnectGrace: 0 } } },
  async play(server, must) {
    const streams: SseConversation[] = [];
    for (let turn = 0; turn < maxTurns + tooMany; turn += 1) streams.push(await chat(server.url));
    const refused = streams.filter(({ status }) => status !== 200);
    must(refused.length === tooMany, `${String(refused.length)} turns were refused`);
    must(
      refused.every(({ status, headers }) => status === 429 && headers['retry-after'] === '1'),
      `they were answered ${tally(streams.map(({ status }) => status))}`,
    );
    const here = await sendOnHub(server.hub, '127.0.0.1');
    const result = (await here.result('1')) as HubRecord; // SendMessage always has one
    must(result['code'] === 'overloaded', `the hub answered ${JSON.stringify(result)}`);
    const there = await sendOnHub(server.hub, elsewhere);
    await there.event('TurnStarted');
    // A turn is told before its model is asked.
    await until(() => held.most() > maxTurns, limitMs);
    must(held.most() === maxTurns + 1, `${String(held.most())} turns ran`);
    for (const stream of streams) stream.close();
    const isBack = await until(async () => {
      const again = await chat(server.url);
      again.close();
      return again.status === 200;
    }, limitMs);
    must(isBack, 'no place came back');
    held.release();
    for (const client of [here, there]) client.socket.close();
    return `${tally(streams.map(({ status }) => status))}; on the hub ${String(result['code'])}; elsewhere served`;
  },
};

export const connectionsPerAddress: StressCase = {
  name: 'connections of one address',
  attack: `an anonymous address opens ${String(maxConnections + tooMany)} connections of the hub`,
  promise:
    'those over `server.maxConnectionsPerAddress` are 429 `rate_limited`, streams too; another address is served; places come back',
  mebibytes: 150,
  async play({ url, hub }, must) {
    const clients: RawHubClient[] = [];
    const statuses: number[] = [];
    const attempt = async (localAddress?: string): Promise<number> => {
      try {
        clients.push(await RawHubClient.connect(hub, localAddress === undefined ? {} : { localAddress }));
        return 101;
      } catch (error) {
        if (error instanceof UpgradeRefused) return error.status;
        throw error;
      }
    };
    for (let opened = 0; opened < maxConnections + tooMany; opened += 1) statuses.push(await attempt());
    must(
      statuses.every((status, index) => status === (index < maxConnections ? 101 : 429)),
      `they were answered ${tally(statuses)}`,
    );
    const stream = await chat(url);
    must(stream.status === 429, `a stream of the same address was answered ${String(stream.status)}`);
    const there = await attempt(elsewhere);
    must(there === 101, `another address was answered ${String(there)}`);
    const [first] = clients;
    first?.socket.close();
    must(await until(async () => (await attempt()) === 101, limitMs), 'no place came back');
    for (const client of clients) client.socket.close();
    await Promise.all(clients.map(({ closed }) => closed));
    return `${tally(statuses)}; a stream ${String(stream.status)}; elsewhere ${String(there)}`;
  },
};

function chat(url: string): Promise<SseConversation> {
  return openSse(`${url}/helper/chat`, { body: { message: 'hello' } });
}

async function sendOnHub(hub: string, localAddress: string): Promise<RawHubClient> {
  const client = await RawHubClient.connect(hub, { localAddress });
  client.call('SendMessage', '1', 'hello');
  return client;
}
