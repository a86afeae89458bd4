import { rm } from 'node:fs/promises';
import { newPostgresData, PostgresServer } from '../databases/postgres-server.ts';
import { launchOptions } from '../chromium.ts';
import type { ServiceName } from './service-of-run.ts';
import type { Kept } from './services-of-run.ts';

/** Ends a service, and deletes its files. */
type End = () => Promise<void>;

/** What starts each service, and says where it is. */
const starts: Readonly<Record<ServiceName, () => Promise<readonly [place: string, end: End]>>> = {
  async postgres() {
    // The databases of a file are gone before there is anything to clean up in them.
    const server = await PostgresServer.start({ settings: ['max_connections=300', 'autovacuum=off'] });
    return [server.socketFolder, () => server.close()];
  },
  async postgresData() {
    const folder = await newPostgresData();
    return [folder, () => rm(folder, { recursive: true, force: true })];
  },
  async chromium() {
    const { chromium } = await import('playwright-core');
    const server = await chromium.launchServer({ ...launchOptions, host: '127.0.0.1' });
    return [server.wsEndpoint(), () => server.close()];
  },
};

/**
 * The process that has the services of a run. It is told the name of each one that is needed, and says where it is. It ends them and itself
 * once the process of the run has let go of it, or has ended in whichever way.
 */
const ends: Promise<End>[] = [];

function say(kept: Kept): void {
  if (process.connected) process.send?.(kept);
}

// services-of-run.ts names each service once.
process.on('message', (name: ServiceName) => {
  const started = starts[name]();
  ends.push(started.then(([, end]) => end));
  started.then(
    ([place]) => say({ name, place }),
    (error: unknown) => say({ name, fault: String(error) }),
  );
});

process.on('disconnect', () => {
  void Promise.allSettled(ends.map(async (end) => (await end)())).then(() => process.exit());
});
