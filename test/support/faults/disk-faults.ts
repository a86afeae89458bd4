import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Fault } from './fault-plan.ts';
import type { ToldQuestion } from './told.ts';
import { answer, stop } from './users.ts';
import type { World } from './world.ts';

/** `/readyz` must tell a storage fault, and its end, within this time. */
const readinessLimitMs = 5_000;
/** The extra time that a busy machine may take. */
const slackMs = 1_500;
const livenessLimitMs = 1_000;
/** The factor by which the test server's own time for the same work is added. That time grows with the machine's load. */
const loadFactor = 4;

export type DiskFault = Extract<
  Fault,
  { readonly at: unknown; readonly kind: Exclude<Fault['kind'], 'kill' | 'SIGTERM'> }
>;

/** Makes the disk fail. Returns a function that repairs it, which may be called twice. */
export function breakDisk(world: World, fault: DiskFault): () => void {
  const { disk, smallDisk, storage } = world;
  const heal = (): void => {
    world.diskState = 'works';
  };
  switch (fault.kind) {
    case 'ENOSPC':
    case 'EROFS':
    case 'EIO':
    case 'EIO of syncs':
      world.diskState = fault.after > 0 ? 'may fail' : 'fails';
      disk?.fail(fault.kind, fault.after);
      return () => {
        disk?.heal();
        heal();
      };
    case 'full disk':
      // Space that a file already has, as the database's log does, can still be written.
      world.diskState = 'may fail';
      if (smallDisk === undefined) disk?.fail('ENOSPC');
      else smallDisk.fill();
      return () => {
        smallDisk?.empty();
        disk?.heal();
        heal();
      };
    case 'foreign lock': {
      let release = lock(join(storage, 'helper.db'));
      world.diskState = release === undefined ? 'works' : 'fails';
      return () => {
        release?.();
        release = undefined;
        heal();
      };
    }
    case 'deleted folder':
      world.diskState = 'may fail';
      rmSync(storage, { recursive: true, force: true });
      return heal;
  }
}

/** Locks the database from another process of this machine. Returns undefined when the server prevents the lock. */
function lock(file: string): (() => void) | undefined {
  const connection = new SqliteDatabase(file, { timeout: 200, fileMustExist: true });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch {
    connection.close();
    return undefined;
  }
  return () => {
    connection.exec('ROLLBACK');
    connection.close();
  };
}

/**
 * Watches a server whose disk fails. The server must stay alive, say that it is not ready, and accept no answer that it cannot store.
 * Anything else is recorded as a trouble or as an answer.
 */
export async function watchFailing(world: World): Promise<void> {
  const { server } = world;
  const watched = new AbortController();
  const alive = watchLiveness(world, watched.signal);
  const isFailing = world.diskState !== 'works';
  const probes = Promise.all(openQuestions(world).map((question, index) => probe(world, question, index)));
  if (isFailing) await untilReadiness(world, 'is not ready');
  await Promise.race([probes, wait(readinessLimitMs), server?.ended]);
  watched.abort();
  await alive;
}

/** Waits until the server says that it is ready again. */
export function watchRecovery(world: World): Promise<void> {
  return untilReadiness(world, 'is ready');
}

async function untilReadiness(world: World, expected: 'is ready' | 'is not ready'): Promise<void> {
  const giveUpAt = performance.now() + readinessLimitMs + slackMs;
  while (world.server?.hasEnded === false) {
    const status = await statusOf(`${world.url}/readyz`, readinessLimitMs);
    if ((status === 200) === (expected === 'is ready') && status !== undefined) return;
    if (performance.now() > giveUpAt) {
      world.trouble('unavailable', `/readyz does not say within 5 s that it ${expected}`);
      return;
    }
    await wait(100);
  }
}

async function watchLiveness(world: World, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => signal.aborted || world.server?.hasEnded !== false;
  while (!isOver()) {
    const [own, server] = await Promise.all([msOf(world.gateUrl), msOf(`${world.url}/healthz`)]);
    if (server > livenessLimitMs + loadFactor * own && !isOver()) {
      world.trouble('unavailable', `/healthz takes ${Math.round(server)} ms while the storage fails`);
      return;
    }
    await wait(100);
  }
}

async function msOf(url: string): Promise<number> {
  const before = performance.now();
  await statusOf(url, readinessLimitMs);
  return performance.now() - before;
}

async function statusOf(url: string, limitMs: number): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The questions of this process that nobody has answered yet. */
function openQuestions({ told, life }: World): readonly ToldQuestion[] {
  const answered = new Set(told.answers.map(({ of }) => of));
  const resolved = new Set(
    told.readings.flatMap(({ events }) =>
      events.flatMap(({ name, fields }) => (name === 'ConfirmationResolved' ? [fields['actionId']] : [])),
    ),
  );
  const isOpen = ({ actionId, turnId }: ToldQuestion): boolean =>
    !answered.has(actionId) && !answered.has(turnId) && !resolved.has(actionId);
  return told.questions.filter((question) => question.life === life && isOpen(question)).slice(0, 3);
}

async function probe(world: World, question: ToldQuestion, index: number): Promise<void> {
  const how = (['approve', 'stop', 'decline'] as const)[index % 3];
  if (how === 'stop') await stop(world, question.turnId);
  else if (how !== undefined) await answer(world, question, how);
}
