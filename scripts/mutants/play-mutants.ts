import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearestFiles, readReach } from './nearest-files.ts';
import type { Played, Run } from './player.ts';
import { Player } from './players.ts';
import type { NumberedMutant } from './weave-mutants.ts';

/** What the tests have made of a mutant. */
export type Verdict =
  | { readonly kind: 'killed'; readonly by: string }
  /** It kept the tests from their end. */
  | { readonly kind: 'stalled' }
  | { readonly kind: 'survived'; readonly played: number; readonly reaching: number }
  | { readonly kind: 'unreached' };

export interface Judged {
  readonly mutant: NumberedMutant;
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface Options {
  /** A copy of a checkout with the mutants in it. */
  readonly folder: string;
  readonly projects: string;
  /** The folder of the test files that are run. */
  readonly tests: string;
  /** The most test files for a mutant. */
  readonly files: number;
  readonly tell: (line: string) => void;
}

export interface Measured {
  readonly judged: readonly Judged[];
  /** Test files that fail without a mutant; they judge none. */
  readonly red: readonly string[];
  /** Those that fail without a mutant when they are played alone and with little patience. What they have killed is in doubt. */
  readonly doubtful: readonly string[];
}

/** Time for one test file without a mutant and with one, far more than it takes on a busy machine. */
const fileLimitMs = 10 * 60_000;
const mutantLimitMs = 120_000;

/** As many mutants at a time as a small machine has cores. */
const atOnce = 2;

/**
 * Runs all test files once with the mutants off, then for each mutant the files nearest to it.
 * @throws Error when the run without mutants does not come to its end.
 */
export async function playMutants(mutants: readonly NumberedMutant[], options: Options): Promise<Measured> {
  const started = performance.now();
  const reachedFile = join(options.folder, 'mutants-reached.txt');
  writeFileSync(reachedFile, '');
  const played = await playWithout({ ...options, reached: reachedFile }, { under: options.tests });
  const red = played.filter(({ passed }) => !passed).map(({ file }) => file);
  const nearest = nearestFiles(
    readReach(readFileSync(reachedFile, 'utf8')),
    played.filter(({ passed }) => passed),
  );
  options.tell(
    `${String(played.length)} test files without a mutant, ${String(red.length)} red (${secondsSince(started)} s)`,
  );
  const judged = await judgeAll(mutants, nearest, options);
  const killers = judged.flatMap(({ verdict }) => (verdict.kind === 'killed' ? [verdict.by] : []));
  return { judged, red, doubtful: await doubtfulOf([...new Set(killers)], options) };
}

async function playWithout(
  options: Options & { readonly reached?: string },
  which: Omit<Run, 'mutant'>,
): Promise<readonly Played[]> {
  const player = new Player(options);
  try {
    const played = await player.play({ mutant: 0, ...which }, fileLimitMs);
    if (played === undefined) throw new Error('the tests without a mutant did not come to their end');
    return played;
  } finally {
    player.stop();
  }
}

async function judgeAll(
  mutants: readonly NumberedMutant[],
  nearest: ReadonlyMap<number, readonly string[]>,
  options: Options,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const waiting = [...mutants];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const player = new Player(options);
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const started = performance.now();
        const verdict = await judge(player, { mutant, reaching: nearest.get(mutant.id) ?? [] }, options.files);
        const seconds = Number(secondsSince(started));
        judged.push({ mutant, verdict, seconds });
        options.tell(`${verdict.kind.padEnd(9)} ${String(seconds).padStart(6)} s  ${oneLine(mutant)}`);
      }
      player.stop();
    }),
  );
  return judged.sort((a, b) => a.mutant.id - b.mutant.id);
}

interface Judging {
  readonly mutant: NumberedMutant;
  readonly reaching: readonly string[];
}

async function judge(player: Player, { mutant, reaching }: Judging, most: number): Promise<Verdict> {
  if (reaching.length === 0) return { kind: 'unreached' };
  const files = reaching.slice(0, most);
  const played = await player.play({ mutant: mutant.id, files }, mutantLimitMs);
  if (played === undefined) return { kind: 'stalled' };
  // A worker that dies leaves no result behind.
  const by = played.length === 0 ? files[0] : played.find(({ passed }) => !passed)?.file;
  return by === undefined
    ? { kind: 'survived', played: files.length, reaching: reaching.length }
    : { kind: 'killed', by };
}

/** Each file is run alone, because the first red one ends a run. */
async function doubtfulOf(files: readonly string[], options: Options): Promise<readonly string[]> {
  const doubtful: string[] = [];
  let waiting = files;
  while (waiting.length > 0) {
    const played = await playWithout(options, { files: waiting });
    const red = played.find(({ passed }) => !passed)?.file;
    if (red === undefined) break;
    doubtful.push(red);
    waiting = waiting.slice(waiting.indexOf(red) + 1);
  }
  return doubtful;
}

/** A mutant as a line: its number, its place and what it changes. */
export function oneLine({ id, kind, file, line, from, to }: NumberedMutant): string {
  const shown = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 90);
  const change = kind === 'removed statement' ? `without ${shown(from)}` : `${shown(from)}  →  ${shown(to)}`;
  return `#${String(id)} ${file}:${String(line)}  ${change}`;
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
