import { setTimeout as wait } from 'node:timers/promises';
import { breakDisk, watchFailing, watchRecovery } from './disk-faults.ts';
import type { Fault, FaultPlan, Life } from './fault-plan.ts';
import { Lines } from './lines.ts';
import type { Reading, Told, ToldQuestion, ToldTurn } from './told.ts';
import { answer, look, react } from './users.ts';
import { World } from './world.ts';
import { patienceMs } from '../patience-limit.ts';

/** Milliseconds without an event after which nothing more comes by itself. */
const quietMs = 250;
/** The limit for the turns of one life. A process that is still busy then is killed. */
const lifeLimitMs = 6_000;

/** Plays a plan on real processes. Returns everything that was told and everything that really ran. */
export async function playPlan(plan: FaultPlan, options: { readonly isPreloading: boolean }): Promise<Told> {
  const hasSmallDisk = plan.lives.some(({ fault }) => fault.kind === 'full disk');
  const world = await World.open(plan, { ...options, hasSmallDisk });
  try {
    for (const life of plan.lives) await playLife(world, life);
    await conclude(world);
    world.readLedger();
    return world.told;
  } finally {
    await world.close();
  }
}

async function playLife(world: World, { turns, syncMs, fault }: Life): Promise<void> {
  world.disk?.heal(syncMs);
  if (fault.kind === 'kill while starting') world.disk?.killAt(fault.operation, fault.when);
  if (!(await world.start())) {
    if (fault.kind !== 'kill while starting')
      world.trouble('unavailable', `it did not start: ${world.server?.output ?? ''}`);
    return;
  }
  const struck = Promise.withResolvers<undefined>();
  const lines = new Lines(world, (question) => void reactTo(world, question, 'first'));
  const strike = awaitFault(world, fault, () => struck.resolve(undefined));
  const begun = [
    ...(world.told.plan.catchesUp ? [catchUp(world, lines)] : []),
    ...turns.map(async (turn) => {
      await wait(turn.startsAfterMs);
      await lines.send(turn);
    }),
  ];
  await Promise.race([struck.promise, world.server?.ended, Promise.all(begun).then(() => quiet(world))]);
  world.moments.cancel();
  await endLife(world, fault, strike);
  lines.close();
  await Promise.allSettled(begun);
  world.disk?.heal();
  world.diskState = 'works';
}

/** Arranges that the fault strikes at its moment. Returns a function that makes it strike at once, unless it has struck. */
function awaitFault(world: World, fault: Fault, struck: () => void): () => () => void {
  const { moments, server, disk } = world;
  let heal: (() => void) | undefined;
  const strike = (): (() => void) => {
    heal ??= strikeNow();
    return heal;
  };
  const strikeNow = (): (() => void) => {
    switch (fault.kind) {
      case 'kill':
      case 'kill at a write':
      case 'kill while starting':
        server?.kill('SIGKILL');
        return () => undefined;
      case 'SIGTERM':
        world.disturbed('ended');
        server?.kill('SIGTERM');
        return () => undefined;
      default:
        world.disturbed(fault.kind === 'deleted folder' ? 'lost' : 'disk');
        return breakDisk(world, fault);
    }
  };
  if (fault.kind === 'kill at a write' || fault.kind === 'kill while starting') {
    disk?.killAt(fault.operation, fault.when);
  } else {
    moments.await(fault.at, () => {
      strike();
      struck();
    });
  }
  return strike;
}

/** Waits for the fault to have its effect, and ends the process. */
async function endLife(world: World, fault: Fault, strike: () => () => void): Promise<void> {
  const heal = strike();
  switch (fault.kind) {
    case 'kill':
    case 'kill at a write':
    case 'kill while starting':
      break;
    case 'SIGTERM':
      if (fault.killAfterMs === undefined) await endsByItself(world);
      else await Promise.race([wait(fault.killAfterMs), world.server?.ended]);
      break;
    case 'deleted folder':
      await watchFailing(world);
      break;
    default:
      await watchFailing(world);
      if (fault.killed) break;
      heal();
      await watchRecovery(world);
      await quiet(world);
  }
  await world.kill();
  heal();
}

async function endsByItself(world: World): Promise<void> {
  await Promise.race([world.server?.ended, wait(patienceMs, undefined, { ref: false })]);
  if (world.server?.hasEnded !== true) world.trouble('unavailable', 'it did not end after SIGTERM');
  else if (world.server.exitCode !== 0)
    world.trouble('unavailable', `it ended with ${world.server.exitCode} after SIGTERM`);
}

/** Resolves once every turn has asked or ended, and nothing happens any more. */
async function quiet(world: World): Promise<void> {
  const giveUpAt = performance.now() + lifeLimitMs;
  let before = -1;
  while (performance.now() < giveUpAt && (before !== world.moments.activity || isUnderWay(world))) {
    before = world.moments.activity;
    await wait(quietMs);
  }
}

function isUnderWay({ told, life, server }: World): boolean {
  const begun = told.plan.lives[life]?.turns.length ?? 0;
  const live = told.readings.filter(
    (reading) =>
      reading.life === life && told.turns.some((turn) => turn.life === life && turn.turnId === reading.turnId),
  );
  const settled = live.filter(({ events }) =>
    events.some(({ name }) => name === 'ConfirmationRequested' || name === 'TurnCompleted'),
  );
  return settled.length < begun && server?.hasEnded === false;
}

/** Resumes all turns of earlier processes in a new one, and reacts to their open questions as their users do. */
async function catchUp(world: World, lines: Lines): Promise<void> {
  const { told } = world;
  const questions = told.questions.filter(({ life }) => life < world.life);
  const turns = told.turns.filter(({ life }) => life < world.life);
  await Promise.all([...questions.map((question) => reactTo(world, question, 'later')), readAll(world, lines, turns)]);
}

/**
 * Resumes turns as a client does that has lost its line: on the turn's own channel. Streams continue from their last event. The hub
 * alternates by process between the last event and the beginning, because a turn has only one hub reader at a time.
 */
async function readAll(world: World, lines: Lines, turns: readonly ToldTurn[]): Promise<void> {
  const fromTheBeginning = world.life % 2 === 0;
  await Promise.all(
    turns.map((turn) => {
      const live = world.told.readings.find(({ turnId }) => turnId === turn.turnId);
      if (turn.channel === 'sse') return lines.readOn(turn, live);
      return lines.resume(turn, fromTheBeginning ? undefined : live);
    }),
  );
}

async function reactTo(world: World, question: ToldQuestion, when: 'first' | 'later' | 'last'): Promise<void> {
  const { life } = world;
  await wait(question.call.afterMs);
  if (when !== 'first') {
    const { status, body } = await look(world, question);
    if (status === undefined || (status === 200 && body?.['outcome'] !== 'open')) return;
  }
  if (world.life !== life || world.server?.hasEnded !== false) return;
  await react(world, question, question.call[when]);
}

/** Runs the last process. Every turn is resumed and answered, and after its end it is read from the beginning and looked up. */
async function conclude(world: World): Promise<void> {
  const { told } = world;
  // A process that was killed at its start has left the disk failing.
  world.disk?.heal();
  if (!(await world.start())) {
    world.trouble('unavailable', `it did not start: ${world.server?.output ?? ''}`);
    return;
  }
  const lines = new Lines(world, (question) => void reactTo(world, question, 'last'));
  const known = [...told.questions];
  const first = told.readings.length;
  await readAll(world, lines, [...told.turns]);
  await Promise.all(known.map((question) => reactTo(world, question, 'last')));
  await untilOver(told.readings.slice(first));
  const second = told.readings.length;
  await Promise.all(told.turns.map((turn) => readAgain(world, lines, turn)));
  await untilOver(told.readings.slice(second));
  await Promise.all(told.questions.map((question) => look(world, question)));
  await Promise.all(told.questions.map((question) => answer(world, question, 'approve')));
  lines.close();
  world.disturbed('ended');
  world.server?.kill('SIGTERM');
  await endsByItself(world);
}

/** Reads the turn over the hub in the way that `readAll` has not used: from its beginning, or from the client's last event. */
function readAgain({ told, life }: World, lines: Lines, turn: ToldTurn): Promise<Reading> {
  const own = told.readings.filter(({ turnId }) => turnId === turn.turnId);
  const isWhole = own.some((one) => one.life === life && one.channel === 'hub' && one.goesOnFrom === undefined);
  return lines.resume(turn, isWhole ? own[0] : undefined);
}

async function untilOver(readings: readonly Reading[]): Promise<void> {
  const isOver = ({ isUnknown, events }: Reading): boolean =>
    isUnknown === true || events.at(-1)?.name === 'TurnCompleted';
  const giveUpAt = performance.now() + patienceMs;
  while (!readings.every(isOver) && performance.now() < giveUpAt) await wait(50);
}
