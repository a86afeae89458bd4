import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { buildIfStale } from '../../../../scripts/build.ts';
import { changeFiles, marksOfFiles } from './kept-files.ts';
import { keptFaults } from './kept-oracle.ts';
import {
  type KeptLife,
  keptLivesPerPlan,
  type KeptPlan,
  keptPlanOf,
  keptSentences,
  keptUsers,
  withoutDisk,
} from './kept-plan.ts';
import { type KeptRecord, type Mark, marksIn } from './kept-record.ts';
import { factsOf } from './kept-requests.ts';
import { damagedIn, indexOf, restOf } from './kept-rest.ts';
import { KeptPerson } from './kept-user.ts';
import { KeptWorld } from './kept-world.ts';
import { isHere } from '../../tools-here.ts';
import { patienceMs } from '../../patience-limit.ts';

/** The number of plans that run side by side. Their processes wait for disks and models most of the time. */
const atOnce = 3;
const lookEveryMs = 50;

/** One plan that was played. */
export interface PlayedKeeping {
  readonly seed: number;
  readonly record: KeptRecord;
  readonly faults: readonly string[];
}

/** Plays at least `rounds` rounds, or the plan of one seed. A round is one process that is killed. */
export async function playKeeping(
  options: { readonly rounds: number; readonly seed?: number | undefined; readonly first?: number | undefined },
  onPlayed: (played: PlayedKeeping) => void,
): Promise<void> {
  // The server runs from its build, which starts much faster than the sources.
  await buildIfStale();
  const isPreloading = isHere('compiler');
  const { rounds, seed, first } = options;
  const seeds = Array.from({ length: Math.ceil(rounds / keptLivesPerPlan) }, (_, index) =>
    first === undefined ? randomInt(2 ** 31) : first + index,
  );
  const left = seed === undefined ? seeds : [seed];
  const play = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const plan = keptPlanOf(next);
      const record = await played(isPreloading ? plan : withoutDisk(plan), isPreloading);
      onPlayed({ seed: next, record, faults: keptFaults(record) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, play));
}

/** What a person needs to understand the failure and to play it again. */
export function describeKeeping({ seed, record, faults }: PlayedKeeping): string {
  const list = faults.map((says) => `- ${says}`);
  return [`HELPER_FAULTS_SEED=${seed} plays this again:`, keptSentences(record.plan), 'It found:', ...list].join('\n');
}

async function played(plan: KeptPlan, isPreloading: boolean): Promise<KeptRecord> {
  const world = await KeptWorld.open(plan, isPreloading);
  try {
    for (const life of plan.lives) await playLife(world, life);
    await conclude(world);
    return world.record;
  } finally {
    await world.close();
  }
}

async function playLife(world: KeptWorld, life: KeptLife): Promise<void> {
  const { disk, moments } = world;
  const { kill } = life;
  disk?.heal(life.syncMs);
  if (kill.kind === 'start') disk?.killAt(kill.operation, kill.when);
  if (!(await world.start(life))) {
    if (kill.kind !== 'start') world.trouble(`it did not start: ${world.server?.output ?? ''}`);
    return;
  }
  if (kill.kind === 'write') disk?.killAt(kill.operation, kill.when);
  if (kill.kind === 'moment') moments.await(kill.at, () => world.server?.kill('SIGKILL'));
  const files = changeFiles(world, life.files);
  const users = keptUsers.map((user) => new KeptPerson(world, user).live(life.steps[user]));
  await Promise.race([Promise.all([...users, files]), world.server?.ended]);
  moments.cancel();
  await world.kill();
  await Promise.all([...users, files]);
}

/** Runs the last process. Waits for the promised facts and the index, and then looks at everything. */
async function conclude(world: KeptWorld): Promise<void> {
  const { record, storage, documents } = world;
  world.disk?.heal();
  if (!(await world.start({ embeddings: 'second', slowMs: 0 }))) {
    world.trouble(`it did not start: ${world.server?.output ?? ''}`);
    return;
  }
  const files = marksOfFiles(documents);
  await till(() => isRemembered(world));
  await till(() => isIndexed(storage, files));
  for (const user of keptUsers) await new KeptPerson(world, user).live([]);
  const found = await findings(world, [...new Set([...files, ...everWritten(record)])]);
  await world.kill('SIGTERM');
  for (const name of damagedIn(storage)) world.trouble(`${name} was put aside`);
  record.rest = { ...restOf(storage), ...indexOf(storage), files, found };
}

/** Whether all promised facts are there. If one is still missing when the wait ends, the oracle reports it. */
async function isRemembered(world: KeptWorld): Promise<boolean> {
  const seen = await Promise.all(keptUsers.map((user) => factsOf(world, user)));
  const present = new Set(seen.flat().flatMap(({ text }) => marksIn(text)));
  const before = new Set(keptFaults({ ...world.record, rest: emptyRest }));
  return [...before].every((fault) => {
    const [mark = ''] = / was never remembered$/.test(fault) ? marksIn(fault) : [];
    return mark === '' || present.has(mark);
  });
}

const emptyRest = {
  rows: '',
  strayTurns: 0,
  files: [],
  indexed: [],
  worded: [],
  found: [],
  parts: { all: 0, withVector: 0, models: 0 },
};

function isIndexed(storage: string, files: readonly Mark[]): boolean {
  const { indexed, parts } = indexOf(storage);
  const listed = (marks: readonly Mark[]): string => marks.toSorted().join(' ');
  return listed(indexed) === listed(files) && parts.withVector === parts.all && parts.models <= 1;
}

/** The mark of every version of every file in the plan. */
function everWritten({ plan }: KeptRecord): readonly Mark[] {
  return plan.lives.flatMap(({ files }, life) =>
    files.flatMap(({ page, isRemoved }, index) => (isRemoved ? [] : [`paper${page}q${life}q${index}`])),
  );
}

/**
 * Asks for each of these documents by a word that only this document has. Returns the documents that the server has then sent to the model.
 */
async function findings(world: KeptWorld, papers: readonly Mark[]): Promise<readonly Mark[]> {
  const asking = new KeptPerson(world, 'bob');
  await asking.connect();
  const found: Mark[] = [];
  for (const [index, paper] of papers.entries()) {
    const before = world.record.requests.length;
    await asking.say(`What is said on ${paper.replace('paper', 'page')}?`, { index, tells: false });
    const sent = world.record.requests.slice(before).filter(({ model }) => model === 'main');
    if (sent.some(({ marks }) => marks.includes(paper))) found.push(paper);
  }
  asking.close();
  return found;
}

async function till(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await isSo()) && performance.now() < giveUpAt) await wait(lookEveryMs);
}
