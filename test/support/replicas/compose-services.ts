import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { startServerProcess } from '../server-process.ts';
import type { Replica, SharedServices } from './replica-processes.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A service of `docker-compose.yml`, as far as the tests look at it. */
export interface ComposeService {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

/** The services of `docker-compose.yml`. Every variable has its default. */
export function composeServices(): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  // our own file
  return (parse(text, { merge: true }) as { services: Readonly<Record<string, ComposeService>> }).services;
}

/** The service of this name. @throws Error when there is none. */
export function composeService(name: string): ComposeService {
  const service = composeServices()[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** The services that the proxy takes requests to. */
export function composedReplicas(): readonly string[] {
  return Object.keys(composeService('proxy').depends_on ?? {});
}

/**
 * Starts what the profile `replicas` starts, as processes: the program that makes the key, and each server with the very settings of its
 * service. The addresses of PostgreSQL and Redis are those of `services`, and the volume of the key is a folder. All ends with the test.
 */
export async function startComposedReplicas({ postgres, redis }: SharedServices): Promise<readonly Replica[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-compose-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const [, ...program] = composeService('keys').entrypoint ?? [];
  await promisify(execFile)(process.execPath, program, { env: { ...process.env, HELPER__STORAGE__PATH: folder } });
  const addresses = {
    'postgres://helper@postgres/helper': await postgres.newDatabase(),
    'redis://redis': redis.url(),
    '/run/keys/keys.json': join(folder, 'keys.json'),
  };
  const environmentOf = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(composeService(name).environment ?? {}).map(([variable, value]) => [
        variable,
        Object.entries(addresses).find(([written]) => written === value)?.[1] ?? value,
      ]),
    );
  return Promise.all(
    composedReplicas().map(async (name) => {
      // A server tells its public address, which is that of the proxy.
      const port = String(await freePort());
      const environment = { ...environmentOf(name), HELPER__SERVER__PORT: port };
      const replica = startServerProcess({ folder: join(folder, name), environment });
      await replica.url;
      return { ...replica, url: `http://127.0.0.1:${port}` };
    }),
  );
}
