/**
 * Measures what the tests notice: makes random changes to the core, the channels and the stores, one at a time, and counts those that
 * a test fails on. Works on a copy of the checkout. Prints the share of each room, and each change that no test has failed on. Exits with
 * 1 only when tests fail without a change. CONTRIBUTING.md, "Mutants", has the options.
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from './mutants/copy-checkout.ts';
import { drawMutants } from './mutants/draw-mutants.ts';
import { findMutants } from './mutants/find-mutants.ts';
import { oneLine, playMutants, type Judged, type Measured } from './mutants/play-mutants.ts';
import type { NumberedMutant } from './mutants/weave-mutants.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '20260101' },
    count: { type: 'string', default: '300' },
    only: { type: 'string' },
    rooms: { type: 'string', default: 'src/core,src/channels,src/adapters/stores' },
    project: { type: 'string', default: 'unit' },
    files: { type: 'string', default: '60' },
    tests: { type: 'string', default: '' },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});

const root = resolve(flags.root);
const rooms = flags.rooms.split(',');

function drawn(): readonly NumberedMutant[] {
  const files = rooms.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root })).sort();
  const sources = files.filter((file) => !file.endsWith('.d.ts'));
  const all = sources.flatMap((file) => findMutants(file, readFileSync(join(root, file), 'utf8')));
  console.log(`${String(all.length)} changes are possible in ${String(sources.length)} files; seed ${flags.seed}`);
  const draw = drawMutants(all, { seed: Number(flags.seed), count: Number(flags.count) });
  const numbered = draw.map((mutant, index) => ({ ...mutant, id: index + 1 }));
  return flags.only === undefined ? numbered : numbered.filter(({ id }) => id === Number(flags.only));
}

function tell({ judged, red, doubtful }: Measured): void {
  for (const kind of ['survived', 'unreached'] as const) {
    const left = judged.filter(({ verdict }) => verdict.kind === kind);
    if (left.length > 0) console.log(`\n${kind}:\n${left.map(lineOf).join('\n')}`);
  }
  console.log('\nroom                  mutants  killed  survived  unreached  share killed');
  for (const room of rooms)
    tellRoom(
      room,
      judged.filter(({ mutant }) => mutant.file.startsWith(`${room}/`)),
    );
  tellRoom('all', judged);
  if (red.length > 0) console.log(`\nred without a mutant, and left out:\n${red.join('\n')}`);
  if (doubtful.length > 0) {
    const killed = judged.filter(({ verdict }) => verdict.kind === 'killed' && doubtful.includes(verdict.by)).length;
    console.log(
      `\n${String(killed)} are in doubt, killed by files that are red without a mutant, too:\n${doubtful.join('\n')}`,
    );
  }
}

function lineOf({ mutant, verdict }: Judged): string {
  const tests = verdict.kind === 'survived' ? `  (${String(verdict.played)} of ${String(verdict.reaching)} files)` : '';
  return `${oneLine(mutant)}${tests}`;
}

function tellRoom(room: string, judged: readonly Judged[]): void {
  const of = (...kinds: readonly string[]): number =>
    judged.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  // A mutant that keeps the tests from their end is noticed.
  const killed = of('killed', 'stalled');
  const share = judged.length === 0 ? '' : `${((killed / judged.length) * 100).toFixed(1)} %`;
  const cells = [judged.length, killed, of('survived'), of('unreached'), share].map((cell) => String(cell));
  console.log(room.padEnd(20) + [9, 8, 10, 11, 14].map((width, at) => (cells[at] ?? '').padStart(width)).join(''));
}

const mutants = drawn();
const folder = copyCheckout(root, mutants);
try {
  const measured = await playMutants(mutants, {
    folder,
    projects: flags.project,
    tests: flags.tests,
    files: Number(flags.files),
    tell: console.log,
  });
  tell(measured);
  process.exitCode = measured.red.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
