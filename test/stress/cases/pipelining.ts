import { ask } from '../../support/ask.ts';
import { openRawConnection, type RawConnection, requestText } from '../../support/raw-connection.ts';
import { chunk, ending, type ModelScript } from '../../support/scripted-model.ts';
import { lastUserText } from '../../support/stress/last-user-text.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { until } from '../../support/stress/until.ts';

const flood = 458;
const inOrder = 30;
const limitMs = 10_000;

/** The counts of each socket's turns, by the first part of the message's text. */
const underWay = new Map<string, { now: number; most: number; began: number }>();

const counting: ModelScript = async (exchange) => {
  const socket = lastUserText(exchange.request).split('-')[0] ?? '';
  const count = underWay.get(socket) ?? { now: 0, most: 0, began: 0 };
  underWay.set(socket, count);
  count.now += 1;
  count.began += 1;
  count.most = Math.max(count.most, count.now);
  await exchange.send(chunk({ role: 'assistant', content: 'heard' }));
  // The turn takes a moment, so that another turn beside it would be noticed.
  // eslint-disable-next-line house/no-wall-time -- the load is paced, and nothing is asserted on the time.
  await new Promise((resolve) => setTimeout(resolve, 5));
  count.now -= 1;
  await exchange.send(ending());
  exchange.end();
};

export const pipelinedChats: StressCase = {
  name: 'pipelining',
  attack: `one socket sends ${String(flood)} chats ahead, another one ${String(inOrder)}`,
  once: '458 turns at once, and nobody else of that address was answered',
  promise: 'one turn of a socket at a time, in order; too many cut the connection; others of the same address go on',
  server: { script: counting },
  async play({ url, model }, must) {
    underWay.clear();
    const orderly = await sendAhead(url, 'orderly', inOrder);
    const flooding = await sendAhead(url, 'flooding', flood);
    const beside = await ask(url, 'POST /helper/chat', {
      headers: { 'content-type': 'application/json' },
      body: { message: 'beside' },
    });
    must(beside.status === 200, `another request of the address was answered ${String(beside.status)}`);
    const ends = (): number => orderly.read().match(/event: end/g)?.length ?? 0;
    must(await until(() => ends() === inOrder, limitMs), `${String(ends())} of ${String(inOrder)} were answered`);
    must(await until(() => flooding.socket.closed, limitMs), 'the socket that sent too much stays open');
    orderly.socket.destroy();
    flooding.socket.destroy();
    for (const [socket, { most }] of underWay) must(most <= 1, `${String(most)} turns ran at once (${socket})`);
    const asked = model.requests.map(lastUserText).filter((text) => text.startsWith('orderly'));
    must(asked.join() === messages('orderly', inOrder).join(), `they ran in the order ${asked.join()}`);
    const began = underWay.get('flooding')?.began ?? 0;
    return `${String(inOrder)} of ${String(inOrder)} in order; of ${String(flood)} ${String(began)} began before the cut`;
  },
};

async function sendAhead(url: string, name: string, count: number): Promise<RawConnection> {
  const connection = await openRawConnection(url);
  const asks = messages(name, count).map((message) => requestText(`GET /helper/chat?message=${message}`));
  connection.send(asks.join(''));
  return connection;
}

function messages(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${String(index)}`);
}
