import { describe, expect, it, onTestFinished } from 'vitest';
import { chunk, ending, type ModelExchange, type ModelScript } from '../support/scripted-model.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { serverProcess } from '../support/shipped-server.ts';

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** A model that repeats the message once `until` resolves. It counts how many answers are under way at the same time. */
function counting(until: Promise<unknown> = Promise.resolve()): {
  readonly script: ModelScript;
  readonly most: () => number;
} {
  let [underWay, most] = [0, 0];
  return {
    most: () => most,
    script: async (exchange: ModelExchange) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const messages = exchange.request.body['messages'] as readonly { content: string }[]; // OpenAI's protocol has this shape
      await exchange.send(chunk({ role: 'assistant', content: `${messages.at(-1)?.content ?? ''} heard` }));
      await until;
      underWay -= 1;
      await exchange.send(ending());
      exchange.end();
    },
  };
}

describe('requests of one socket (contract/sse.md#asking)', () => {
  // proves wire-4-80
  it('run one after the other, in the order they were sent', async () => {
    const model = counting();
    const { url } = await scriptedServer({ scripts: Array.from({ length: 30 }, () => model.script) });
    const client = await openRawSocket(url);
    const asks = Array.from({ length: 30 }, (_, index) => `message${String(index)}`);
    client.send(asks.map((ask) => requestText(`GET /helper/chat?message=${ask}`)).join(''));
    await client.answered(30);
    await expect.poll(() => client.read().match(/event: end/g)).toHaveLength(30);
    expect(model.most()).toBe(1);
    expect([...new Set(client.read().match(/message\d+(?= heard)/g))]).toEqual(asks);
  });

  // proves wire-4-80
  it('are not begun by the hundred: 458 cut the connection, and one turn was begun', async () => {
    const gate = Promise.withResolvers<undefined>();
    const model = counting(gate.promise);
    const server = await scriptedServer({
      scripts: Array.from({ length: 458 }, () => model.script),
      settings: { server: { disconnectGrace: 0 } },
    });
    const client = await openRawSocket(server.url);
    client.send(requestText('GET /helper/chat?message=x'));
    await server.model.request(0);
    client.send(requestText('GET /helper/chat?message=x').repeat(457));
    await client.closed;
    gate.resolve(undefined);
    expect(server.model.requests).toHaveLength(1);
    await expectFree(server.url);
  });

  // proves wire-4-80
  it('that wait end with their socket', async () => {
    const gate = Promise.withResolvers<undefined>();
    onTestFinished(() => {
      gate.resolve(undefined);
    });
    const model = counting(gate.promise);
    const server = await scriptedServer({
      scripts: [model.script],
      settings: { server: { disconnectGrace: 0, maxRequestsPerAddress: 20 } },
    });
    const client = await openRawSocket(server.url);
    client.send(requestText('GET /helper/chat?message=x').repeat(19));
    await server.model.request(0);
    client.socket.destroy();
    // The places of the requests are free again.
    await expectFree(server.url);
    expect(server.model.requests).toHaveLength(1);
  });

  // proves wire-4-80
  it('that would leave HTTP behind another one are answered as HTTP', async () => {
    const gate = Promise.withResolvers<undefined>();
    const model = counting(gate.promise);
    const server = await scriptedServer({ scripts: [model.script] });
    const client = await openRawSocket(server.url);
    client.send(requestText('GET /helper/chat?message=x'));
    await server.model.request(0);
    client.send(requestText('GET /helper-hub', upgrade));
    gate.resolve(undefined);
    await client.closed;
    expect(client.statuses()).toEqual([200, 400]);
  });
});

/** Twenty requests of this address are answered at once. */
async function expectFree(url: string): Promise<void> {
  const ask = async (): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await fetch(`${url}/helper/session?connectionId=x`);
        await answer.text();
        return answer.status;
      }),
    );
  await expect.poll(ask).toEqual(Array.from({ length: 20 }, () => 404));
}

describe('an Upgrade that becomes no WebSocket (contract/hub.md#connections)', () => {
  // proves wire-3-80
  it.each([
    ['POST /helper-hub?id=x', 404],
    ['DELETE /helper-hub?id=x', 404],
    ['PUT /helper-hub', 405],
    ['HEAD /helper-hub', 405],
    ['OPTIONS /helper-hub', 405],
    ['POST /helper-hub/negotiate', 200],
    ['GET /helper-hub?id=x', 404],
    ['GET /helper/chat', 400],
    ['GET /healthz', 200],
    ['GET /nothing', 404],
  ])('%s is answered %i and closed', async (ask, status) => {
    const { url } = await scriptedServer({ scripts: [] });
    const client = await openRawSocket(url);
    client.send(requestText(ask, upgrade));
    await client.closed;
    expect(client.statuses()).toEqual([status]);
  });

  it('is the last request of its connection: what was sent behind it runs nothing', async () => {
    const { url, model } = await scriptedServer({ scripts: [] });
    const client = await openRawSocket(url);
    client.send(requestText('POST /helper-hub?id=x', upgrade) + requestText('GET /helper/chat?message=x'));
    await client.closed;
    expect(client.statuses()).toEqual([404]);
    // A turn that had begun would have asked the model by the time that another one has.
    await (await fetch(`${url}/helper/chat?message=y`)).text();
    expect(model.requests).toHaveLength(1);
  });

  // proves wire-3-80
  it('keeps no process from ending with 0 on SIGTERM', async () => {
    const { url, end } = await serverProcess();
    for (const method of ['POST', 'DELETE', 'GET']) {
      const client = await openRawSocket(url);
      client.send(requestText(`${method} /helper-hub?id=x`, upgrade));
      await client.answered(1);
    }
    expect(await end('SIGTERM')).toBe(0);
  });
});
