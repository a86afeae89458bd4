/**
 * Plays the compatibility kit of A2A 1.0 (a2aproject/a2a-tck) on a real server process, and compares with `expected-failures.yml`. It needs
 * Python 3.11 or newer, and fetches the kit and its packages the first time.
 *
 * Usage: `npm run conformance:a2a -- [--kit FOLDER]`. `--kit` names a clone of the kit. It ends with code 1 when a test that is not listed
 * does not pass, or one that is listed does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AskingAgent } from './asking-agent.ts';
import { expectedFailures, surprises } from './expectations.ts';
import { fetchedKit, playedKit, preparedPython } from './suite.ts';

const { values: flags } = parseArgs({ options: { kit: { type: 'string' } } });
const expected = expectedFailures();
const kit = flags.kit === undefined ? await fetchedKit() : resolve(flags.kit);
const python = await preparedPython();
const folder = mkdtempSync(join(tmpdir(), 'helper-a2a-kit-'));
const agent = await AskingAgent.start();
try {
  const outcomes = await playedKit({ kit, python, folder }, agent.url);
  const passed = outcomes.filter(({ outcome }) => outcome === 'passed').length;
  const different = surprises(outcomes, expected);
  for (const sentence of different) console.log(sentence);
  console.log(
    `${String(outcomes.length)} tests: ${String(passed)} passed, ${String(expected.size)} are not expected to pass, ` +
      `${String(different.length)} differ from that.`,
  );
  if (different.length > 0) process.exitCode = 1;
} finally {
  await agent.close();
  rmSync(folder, { recursive: true, force: true });
}
