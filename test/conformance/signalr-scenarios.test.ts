import { HubConnectionState } from '@microsoft/signalr';
import { describe, expect, it } from 'vitest';
import { hubRoutes, scenarioClient, type ScenarioConnection } from '../support/hub-scenario-client.ts';
import { casesOf } from '../support/run/tier.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';

/** Each release, transport and protocol once. */
const shortRoutes = [
  '8 LongPolling json',
  '10 WebSockets messagepack',
  '10 ServerSentEvents json',
  'own WebSockets json',
];

const routes = casesOf('ways to speak SignalR', hubRoutes, ({ release, transport, protocol }) =>
  shortRoutes.includes(`${String(release)} ${transport} ${protocol}`),
).map((route) => [`client ${String(route.release)} over ${route.transport} with ${route.protocol}`, route] as const);

/** All items of a stream, or the error it ended with. */
function itemsOf(connection: ScenarioConnection, ...call: [string, ...unknown[]]): Promise<unknown[]> {
  const items: unknown[] = [];
  return new Promise((resolve, reject) => {
    connection.stream(...call).subscribe({
      next: (item) => items.push(item),
      complete: () => {
        resolve(items);
      },
      error: reject,
    });
  });
}

function closeOf(connection: ScenarioConnection): Promise<Error | undefined> {
  return new Promise((resolve) => {
    connection.onclose(resolve);
  });
}

describe.each(routes)('%s: calls (contract/hub.md#protocol)', (_title, route) => {
  // proves wire-3-41, wire-3-44
  it('gets back what it sent, whatever it is', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    const values = [
      null,
      true,
      0,
      -1.5,
      2 ** 40,
      '',
      'ünï©ødé \u001e 🙂',
      [1, [2]],
      { a: { b: [null] } },
      'x'.repeat(20_000),
    ];
    for (const value of values) expect(await connection.invoke('Echo', value)).toEqual(value);
    expect(faults()).toEqual([]);
  });

  it('gets null from a method that returns nothing, by a name in any case', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    expect(await connection.invoke('nothing')).toBeNull();
    expect(faults()).toEqual([]);
  });

  it('sends without waiting for an answer, which never comes', async () => {
    const { url, notes } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    await connection.send('Note', { to: 'self' });
    await connection.send('Missing', 1);
    await expect.poll(() => notes).toEqual([{ to: 'self' }]);
    expect(await connection.invoke('Echo', 1)).toBe(1);
    expect(faults()).toEqual([]);
  });

  it('gets the answers of calls in the order they were made', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    const order: unknown[] = [];
    const calls = ['Slowly', 'Echo', 'Slowly', 'Echo'].map(async (name, index) => {
      order.push(await connection.invoke(name, index));
    });
    await Promise.all(calls);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(faults()).toEqual([]);
  });

  it.each([
    ['Missing', "Unknown hub method 'Missing'"],
    ['Count', "The client attempted to invoke the streaming 'Count' method with a non-streaming invocation."],
    ['Fail', "An unexpected error occurred invoking 'Fail' on the server."],
    ['Refuse', "An unexpected error occurred invoking 'Refuse' on the server. HubException: Not today."],
  ])('is told what is wrong with a call of %s', async (name, text) => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    const error: unknown = await connection.invoke(name, 1).catch((reason: unknown) => reason);
    expect(String(error)).toBe(`Error: ${text}`);
    expect(await connection.invoke('Echo', 'still here')).toBe('still here');
    expect(faults()).toEqual([]);
  });
});

describe.each(routes)('%s: events and streams (contract/hub.md#protocol)', (_title, route) => {
  it('gets events in order, before the result of the call that raised them', async () => {
    const { url } = await scenarioServer();
    const numbers: unknown[] = [];
    const { connection, faults } = await scenarioClient(url, route, {
      prepare: (client) => {
        client.on('Raised', ({ number }: { number: number }) => numbers.push(number));
      },
    });
    await connection.invoke('Raise', 300);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_entry, index) => index + 1));
    expect(faults()).toEqual([]);
  });

  it('reads streams to their end, empty ones too', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    const streams = [itemsOf(connection, 'Count', 3), itemsOf(connection, 'Count', 0)];
    expect(await Promise.all(streams)).toEqual([[{ number: 1 }, { number: 2 }, { number: 3 }], []]);
    expect(faults()).toEqual([]);
  });

  it('is told that a stream broke, and no secret', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    await expect(itemsOf(connection, 'Break')).rejects.toThrow(
      'An error occurred on the server while streaming results.',
    );
    await expect(itemsOf(connection, 'Echo', 1)).rejects.toThrow(
      "The client attempted to invoke the non-streaming 'Echo' method with a streaming invocation.",
    );
    expect(faults()).toEqual([]);
  });

  it('cancels a stream, while calls go on beside it', async () => {
    const { url } = await scenarioServer();
    let cancelled = 0;
    const { connection, faults } = await scenarioClient(url, route, {
      prepare: (client) => {
        client.on('Cancelled', () => (cancelled += 1));
      },
    });
    const items: unknown[] = [];
    const subscription = connection.stream('Wait').subscribe({
      next: (item) => items.push(item),
      complete: () => undefined,
      error: () => undefined,
    });
    await expect.poll(() => items).toEqual(['waiting']);
    expect(await connection.invoke('Echo', 'beside')).toBe('beside');
    subscription.dispose();
    await expect.poll(() => cancelled).toBe(1);
    expect(faults()).toEqual([]);
  });
});

describe.each(routes)('%s: results of the client (contract/hub.md#protocol)', (_title, route) => {
  // proves wire-3-45
  it('returns what its handler returns, while the call that asked still runs', async () => {
    const { url } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route, {
      prepare: (client) => {
        client.on('Asked', ({ question }: { question: unknown }) => ({ answer: question }));
      },
    });
    const answers = [1, { a: null }].map((question) => connection.invoke('Ask', question));
    expect(await Promise.all(answers)).toEqual([{ answer: 1 }, { answer: { a: null } }]);
    expect(faults()).toEqual([]);
  });

  // proves wire-3-45
  it('says that its handler failed, or that there is none', async () => {
    const { url, connections } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route, {
      prepare: (client) => {
        client.on('Broken', () => {
          throw new Error('no idea');
        });
      },
    });
    await expect.poll(() => connections).toHaveLength(1);
    const ask = (name: string) => connections[0]?.invokeClient(name, {}, { timeoutMs: 10_000 });
    await expect(ask('Broken')).rejects.toMatchObject({ fault: 'failed', message: 'Error: no idea' });
    await expect(ask('Missing')).rejects.toMatchObject({ fault: 'failed', message: "Client didn't provide a result." });
    expect(await connection.invoke('Echo', 'still here')).toBe('still here');
    expect(faults()).toEqual([]);
  });
});

describe.each(routes)('%s: beginnings and ends (contract/hub.md#protocol)', (_title, route) => {
  // proves wire-3-41
  it('knows its connection by the id the server has', async () => {
    const { url, connections } = await scenarioServer();
    const { connection } = await scenarioClient(url, route);
    await expect.poll(() => connections.map(({ id }) => id)).toEqual([connection.connectionId]);
    expect(connections[0]?.transport.name).toBe(route.transport);
  });

  it('stops, and starts again as another connection', async () => {
    const { url, connections, endings } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route);
    const first = connection.connectionId;
    await connection.stop();
    await expect.poll(() => endings).toHaveLength(1);
    // Closing an event stream sends no goodbye.
    if (route.transport !== 'ServerSentEvents') expect(endings).toEqual(['graceful']);
    await connection.start();
    expect(await connection.invoke('Echo', 'again')).toBe('again');
    expect(connection.connectionId).not.toBe(first);
    expect(connections).toHaveLength(2);
    expect(faults()).toEqual([]);
  });

  it('is told why the server closes, and stays away', async () => {
    const { url, connections } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route, { reconnects: true });
    const closed = closeOf(connection);
    await expect.poll(() => connections).toHaveLength(1);
    connections[0]?.close({ error: 'enough' });
    expect((await closed)?.message).toBe('Server returned an error on close: enough');
    expect(connection.state).toBe(HubConnectionState.Disconnected);
    expect(faults()).toEqual([]);
  });

  it('comes back when the server allows it', async () => {
    const { url, connections, endings } = await scenarioServer();
    const { connection, faults } = await scenarioClient(url, route, { reconnects: true });
    const reconnected = new Promise((resolve) => {
      connection.onreconnected(resolve);
    });
    await expect.poll(() => connections).toHaveLength(1);
    connections[0]?.close({ allowReconnect: true });
    expect(await reconnected).toBe(connection.connectionId);
    expect(await connection.invoke('Echo', 'back')).toBe('back');
    expect(endings).toEqual(['dropped']);
    expect(faults()).toEqual([]);
  });

  it('is told which limit a message went over', async () => {
    const { url } = await scenarioServer({ limits: { maxMessageBytes: 30_000 } });
    const { connection, faults } = await scenarioClient(url, route);
    const closed = closeOf(connection);
    await connection.invoke('Echo', 'x'.repeat(40_000)).catch(() => undefined);
    expect((await closed)?.message).toContain('larger than the limit of 30000 bytes (maxMessageBytes)');
    expect(faults()).toEqual([]);
  });

  it('outlives silence', async () => {
    const { url } = await scenarioServer({ timings: { keepAliveMs: 60, clientTimeoutMs: 800, pollMs: 90 } });
    const { connection, faults, heard } = await scenarioClient(url, route, {
      prepare: (client) => {
        client.serverTimeoutInMilliseconds = 800;
        client.keepAliveIntervalInMilliseconds = 100;
      },
    });
    // This takes longer than either side waits for a sign of the other.
    await expect.poll(heard).toBeGreaterThan(16);
    expect(connection.state).toBe(HubConnectionState.Connected);
    expect(await connection.invoke('Echo', 'alive')).toBe('alive');
    expect(faults()).toEqual([]);
  });
});
