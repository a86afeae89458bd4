/**
 * Plays the attacks of docs/reference/stress.md on real server processes, one after the other.
 *
 * Usage: `npm run stress -- [--only NAME] [--write]`. `--write` writes the figures of all cases into the page. It ends with
 * code 1 when something did not hold, and says what.
 */
import { parseArgs } from 'node:util';
import { describeMachine } from '../bench/report/machine.ts';
import { type PlayedCase, playCase } from '../support/stress/play-case.ts';
import { renderFigures } from '../support/stress/stress-figures.ts';
import { writeBetweenMarkers } from '../support/written-page.ts';
import { stressCases } from './cases/index.ts';

const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const wanted = stressCases.filter(({ name }) => flags.only === undefined || name === flags.only);
if (wanted.length === 0) throw new Error(`--only needs one of: ${stressCases.map(({ name }) => name).join(', ')}`);
if (flags.write && flags.only !== undefined) throw new Error('--write needs all cases');

const machine = describeMachine();
const cases: PlayedCase[] = [];
for (const wantedCase of wanted) {
  const played = await playCase(wantedCase);
  cases.push(played);
  process.stderr.write(`${wantedCase.name}: ${played.seconds.toFixed(1)} s\n`);
  for (const sentence of played.broken) {
    process.exitCode = 1;
    console.log(`${wantedCase.name}: ${sentence}`);
  }
}
const figures = renderFigures(cases, machine);
console.log(figures);
if (flags.write) writeBetweenMarkers('stress.md', 'stress', figures);
