import { describe, expect, it } from 'vitest';
import { cuttingProxy, type CuttingProxy } from '../support/cutting-proxy.ts';
import {
  hubRoutes,
  scenarioClient,
  type ScenarioClient,
  type ScenarioClientOptions,
  type ScenarioConnection,
} from '../support/hub-scenario-client.ts';
import { scenarioServer, type ScenarioServer } from '../support/hub-scenario-server.ts';

const routes = hubRoutes
  .filter(({ transport }) => transport === 'WebSockets')
  .map((route) => [`client ${String(route.release)} with ${route.protocol}`, route] as const);

interface Cuttable extends ScenarioServer, ScenarioClient {
  readonly proxy: CuttingProxy;
  /** What the client has reported about its line. */
  readonly told: string[];
  /** Cuts the line, and waits until the client has a new one. */
  readonly cut: () => Promise<void>;
}

/** Client and server with a line between them that can be cut. */
async function cuttable(
  route: (typeof hubRoutes)[number],
  prepare: ScenarioClientOptions['prepare'] = () => undefined,
): Promise<Cuttable> {
  const server = await scenarioServer({ greets: true, timings: { reconnectMs: 10_000, keepAliveMs: 40 } });
  const proxy = await cuttingProxy(server.url);
  const told: string[] = [];
  const client = await scenarioClient(`${proxy.url}/hub`, route, {
    stateful: true,
    reconnects: true,
    prepare: (connection) => {
      for (const notice of ['onclose', 'onreconnecting', 'onreconnected'] as const) {
        connection[notice](() => told.push(notice));
      }
      prepare(connection);
    },
  });
  const cut = async (): Promise<void> => {
    const connections = proxy.connections();
    const heard = client.heard();
    proxy.cut();
    await expect.poll(() => proxy.connections()).toBe(connections + 1);
    // At least the Sequence message has arrived.
    await expect.poll(client.heard).toBeGreaterThan(heard);
  };
  return { ...server, ...client, proxy, told, cut };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_entry, index) => index + 1);
}

function onRaised(raised: number[]): (connection: ScenarioConnection) => void {
  return (connection) => {
    connection.on('Raised', ({ number }: { number: number }) => raised.push(number));
  };
}

describe.each(routes)(
  '%s: a cut line with withStatefulReconnect (contract/hub.md#when-the-line-breaks)',
  (_title, route) => {
    // proves wire-3-48
    it('loses no event and doubles none, however often it is cut', async () => {
      const raised: number[] = [];
      const { connection, connections, endings, told, faults, cut } = await cuttable(route, onRaised(raised));
      const { connectionId } = connection;
      const send = (number: number): void => connections[0]?.sendEvent('Raised', { number });
      for (const number of numbers(40)) {
        send(number);
        if (number % 10 === 5) await cut();
      }
      await expect.poll(() => raised).toEqual(numbers(40));
      expect(await connection.invoke('Echo', 'same')).toBe('same');
      expect(raised).toEqual(numbers(40));
      expect(connection.connectionId).toBe(connectionId);
      expect([connections.length, endings, told, faults()]).toEqual([1, [], [], []]);
    });

    it('doubles no event that came along with the handshake', async () => {
      const raised: number[] = [];
      const { connection, faults, cut } = await cuttable(route, (client) => {
        client.on('Opened', ({ number }: { number: number }) => raised.push(number));
      });
      await expect.poll(() => raised).toEqual([1]);
      await cut();
      await connection.invoke('Echo', 1);
      expect(raised).toEqual([1]);
      expect(faults()).toEqual([]);
    });

    it('gets the results of calls it made before, during and after the cut, each made once', async () => {
      const { connection, notes, told, faults, cut } = await cuttable(route);
      const results = [connection.invoke('Slowly', 'before'), connection.invoke('Note', 1)];
      const back = cut();
      results.push(connection.invoke('Slowly', 'during'), connection.invoke('Note', 2));
      await back;
      results.push(connection.invoke('Slowly', 'after'), connection.invoke('Note', 3));
      expect(await Promise.all(results)).toEqual(['before', null, 'during', null, 'after', null]);
      expect(notes).toEqual([1, 2, 3]);
      expect([told, faults()]).toEqual([[], []]);
    });

    it('reads a stream to its end, and can still cancel one', async () => {
      let cancelled = 0;
      const { connection, faults, cut } = await cuttable(route, (client) => {
        client.on('Cancelled', () => (cancelled += 1));
      });
      const items: unknown[] = [];
      const counted = new Promise<void>((complete, error) => {
        connection.stream<unknown>('Count', 300).subscribe({ next: (item) => items.push(item), complete, error });
      });
      const waiting: unknown[] = [];
      const ignore = (): void => undefined;
      const subscription = connection
        .stream('Wait')
        .subscribe({ next: (item) => waiting.push(item), complete: ignore, error: ignore });
      await cut();
      await counted;
      expect(items).toEqual(numbers(300).map((number) => ({ number })));
      await cut();
      subscription.dispose();
      await expect.poll(() => cancelled).toBe(1);
      expect([waiting, faults()]).toEqual([['waiting'], []]);
    });

    it('is asked once, and answers once, across a cut', async () => {
      const asked: unknown[] = [];
      const answer = Promise.withResolvers<string>();
      const { connection, faults, cut } = await cuttable(route, (client) => {
        client.on('Asked', ({ question }: { question: unknown }) => {
          asked.push(question);
          return answer.promise;
        });
      });
      const result = connection.invoke('Ask', 'well?');
      await expect.poll(() => asked).toEqual(['well?']);
      await cut();
      answer.resolve('yes');
      expect(await result).toBe('yes');
      expect([asked, faults()]).toEqual([['well?'], []]);
    });

    it('connects anew, as another connection, when the server no longer knows it', async () => {
      const { connection, connections, told, faults } = await cuttable(route);
      const { connectionId } = connection;
      connections[0]?.close({ allowReconnect: true });
      await expect.poll(() => told).toEqual(['onreconnecting', 'onreconnected']);
      expect(connection.connectionId).not.toBe(connectionId);
      expect(await connection.invoke('Echo', 'anew')).toBe('anew');
      expect(faults()).toEqual([]);
    });

    it('ends at once when it is stopped', async () => {
      const { connection, endings, told, cut } = await cuttable(route);
      await cut();
      await connection.stop();
      await expect.poll(() => endings).toEqual(['graceful']);
      expect(told).toEqual(['onclose']);
    });
  },
);
