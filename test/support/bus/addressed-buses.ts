import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import { openRedisBus } from '../../../src/adapters/bus/open-bus.ts';
import type { RedisAddress } from '../../../src/adapters/bus/redis/redis-address.ts';
import { certificate, key } from '../../unit/config/certificates.ts';
import { RedisServer } from '../databases/redis.ts';
import { freePort } from '../free-port.ts';
import { at, busOptions } from './opened-buses.ts';

/** A Redis with these settings that ends with the test. */
export async function serverOfTest(settings: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.close());
  return server;
}

/** A bus of this address. It need not be up. */
export async function openedBus(address: RedisAddress, options = busOptions()): Promise<CarriedBus> {
  const bus = await openRedisBus({ address, prefix: 'h' }, options);
  onTestFinished(() => bus.close());
  return bus;
}

/** Expects that two buses of these addresses reach each other in all ways. */
export async function expectJoined(
  addresses: readonly [RedisAddress, RedisAddress],
): Promise<readonly [CarriedBus, CarriedBus]> {
  const buses = await Promise.all(addresses.map((address) => openedBus(address)));
  const [one, other] = [at(buses, 0), at(buses, 1)];
  await vi.waitUntil(() => one.isUp && other.isUp);
  const heard: unknown[] = [];
  other.onTold('news', (body) => heard.push(body));
  for (const bus of buses) bus.answer('same', async (body) => body);
  for (const body of ['small', 'x'.repeat(100_000)]) {
    expect(await one.ask({ replica: other.replica, kind: 'same', body })).toBe(body);
    expect(await other.ask({ replica: one.replica, kind: 'same', body })).toBe(body);
  }
  await one.tell('news', 1);
  await expect.poll(() => heard).toEqual([1]);
  expect(await one.own('name', 60_000)).toBe(true);
  expect(await other.own('name', 60_000)).toBe(false);
  expect(await other.count('key', 60_000, 1)).toMatchObject({ isWithin: true });
  expect(await one.count('key', 60_000, 1)).toMatchObject({ isWithin: false });
  return [one, other];
}

/** A folder that is deleted with the test. */
export async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-addresses-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of a certificate for localhost, with the words for them in the settings of Redis. */
export async function tlsFiles(): Promise<readonly (readonly [setting: string, file: string])[]> {
  const folder = await folderOfTest();
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await writeFile(keyFile, key);
  await writeFile(certificateFile, certificate);
  return [
    ['tls-cert-file', certificateFile],
    ['tls-key-file', keyFile],
    ['tls-ca-cert-file', certificateFile],
    ['tls-auth-clients', 'no'],
  ];
}

/** A Redis with TLS and a certificate for localhost. */
export async function tlsServer(
  settings: readonly string[] = [],
): Promise<{ readonly port: number; readonly server: RedisServer }> {
  const files = (await tlsFiles()).flatMap(([setting, file]) => [`--${setting}`, file]);
  const port = await freePort();
  const server = await serverOfTest(['--tls-port', String(port), ...files, ...settings]);
  return { port, server };
}

/** Trusts the certificate for localhost until the test has ended. */
export function trustCertificate(): void {
  const trusted = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, certificate]);
}
