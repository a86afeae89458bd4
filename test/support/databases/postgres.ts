import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import { serviceOfRun } from '../services/service-of-run.ts';
import { isHere } from '../tools-here.ts';
import { PostgresDatabases, PostgresServer } from './postgres-server.ts';

/** Whether PostgreSQL is installed here. */
export const hasPostgres = isHere('postgres');

/** `storage` of a server whose database is PostgreSQL. */
export type PostgresStorage = Extract<StorageOptions, { readonly type: 'postgres' }>;

/**
 * The server that all files of a run share. The databases that a file makes in it are deleted at the end of the file. Tests that stop the
 * server or change it have one of their own (`ownPostgres`). MUST be called while the file is read.
 */
export function postgresOfRun(): () => Promise<PostgresDatabases> {
  let databases: Promise<PostgresDatabases> | undefined;
  const open = (): Promise<PostgresDatabases> =>
    (databases ??= serviceOfRun('postgres').then((folder) => new PostgresDatabases(folder)));
  // The first start takes longer than a test may.
  beforeAll(async () => {
    if (hasPostgres) await open();
  });
  afterAll(async () => (await databases)?.drop());
  return open;
}

/** A server that a test may stop and start again. It ends with the test, or with what `atEnd` is given. */
export async function ownPostgres(atEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<PostgresServer> {
  const server = await PostgresServer.start({ data: await serviceOfRun('postgresData') });
  atEnd(() => server.close());
  return server;
}

/** Makes an empty database of `postgresOfRun` for each call. MUST be called while the file is read. */
export function databasesOfRun(): () => Promise<PostgresStorage> {
  const postgres = postgresOfRun();
  const paths: string[] = [];
  afterAll(async () => {
    for (const path of paths) await rm(path, { recursive: true, force: true });
  });
  return async () => {
    const path = await mkdtemp(join(tmpdir(), 'helper-storage-'));
    paths.push(path);
    return { type: 'postgres', path, url: await (await postgres()).newDatabase(), maxConnections: 4 };
  };
}
