import { createHash } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import { busTimes } from '../../../src/adapters/bus/bus-limits.ts';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import type { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import type { BusKey, BusKeys } from '../../../src/adapters/bus/messages/message-seal.ts';
import { openInProcessBus, openRedisBus, type OpenBusOptions } from '../../../src/adapters/bus/open-bus.ts';
import type { RedisServer } from '../databases/redis.ts';
import { recordingLogger } from '../quiet.ts';

/** A key that its name determines. */
export function busKey(name: string): BusKey {
  return { id: name, bytes: createHash('sha256').update(name).digest() };
}

/** The keys of all test buses that name none. */
export const busKeys: BusKeys = [busKey('one')];

/** Streams notice a lost reader or source soon. Calls have the time of the product. */
export const quickTimes = { ...busTimes, heartbeatMs: 200, silenceMs: 2_000 };

/** The options of a test bus. */
export function busOptions(
  options: Partial<OpenBusOptions> = {},
): OpenBusOptions & { log: ReturnType<typeof recordingLogger> } {
  const clock = { now: () => Date.now(), elapsed: () => performance.now() };
  return { keys: busKeys, clock, ...options, log: recordingLogger() };
}

/** Buses over a Redis. They end with the test. All of them are up. */
export async function redisBuses(
  redis: RedisServer,
  count: number,
  options: Partial<OpenBusOptions> = {},
): Promise<CarriedBus[]> {
  const address = { kind: 'server', url: redis.url() } as const;
  const opening = Array.from({ length: count }, () => openRedisBus({ address, prefix: 'h' }, busOptions(options)));
  return allUp(await Promise.all(opening));
}

/** Buses over an exchange in this process. They end with the test. */
export async function joinedBuses(
  exchange: InProcessExchange,
  count: number,
  options: Partial<OpenBusOptions> = {},
): Promise<CarriedBus[]> {
  return allUp(await Promise.all(Array.from({ length: count }, () => openInProcessBus(busOptions(options), exchange))));
}

async function allUp(buses: CarriedBus[]): Promise<CarriedBus[]> {
  onTestFinished(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
  });
  await vi.waitUntil(() => buses.every(({ isUp }) => isUp), { interval: 5 });
  return buses;
}

/** The bus with this number. */
export function at(buses: readonly CarriedBus[], index: number): CarriedBus {
  const bus = buses[index];
  if (bus === undefined) throw new Error('there are fewer buses');
  return bus;
}
