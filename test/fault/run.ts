/**
 * Many rounds of the fault suite (docs/reference/faults.md): real server processes are killed and starved.
 *
 * Usage: `npm run faults -- [--rounds 2000] [--at-once 3] [--write]`. `--write` writes the figures into the page. It ends with code 1
 * when a round found anything, and prints the seed that plays it again.
 */
import { parseArgs } from 'node:util';
import { Figures } from '../support/faults/figures.ts';
import { describeFailure, playRounds } from '../support/faults/played-rounds.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds needs a number of rounds, not "${flags.rounds}"`);

const atOnce = Number(flags['at-once']);
if (!Number.isInteger(atOnce) || atOnce < 1)
  throw new Error(`--at-once needs a number of plans, not "${flags['at-once']}"`);

const figures = new Figures();
const startedAt = performance.now();
await playRounds({ rounds, atOnce }, (played) => {
  figures.add(played);
  if (played.faults.length > 0) {
    process.exitCode = 1;
    console.log(describeFailure(played));
  }
  const minutes = (performance.now() - startedAt) / 60_000;
  process.stderr.write(`${figures.rounds} of ${rounds} rounds, ${minutes.toFixed(1)} minutes\n`);
});
console.log(figures.render());
if (flags.write) figures.write();
