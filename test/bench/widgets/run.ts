/**
 * The widget beside others of its kind (docs/reference/widget-comparison.md).
 *
 * Usage: `npm run bench:widget -- [--rounds N] [--only NAME] [--write]`. The others are installed once, outside of this project.
 * It starts and ends everything it needs on free ports; the server is the built one. It is a report, not a test.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../../support/chromium.ts';
import { writeBetweenMarkers } from '../../support/written-page.ts';
import { programPath, stopAll } from '../processes/child-processes.ts';
import { describeMachine, loadWarning } from '../report/machine.ts';
import { buildPage, install } from './build-page.ts';
import { startHelper } from './helper-server.ts';
import { type AccessFigures, measureAccess } from './measure-access.ts';
import { type FileFigures, measureFiles, timeToComposer } from './measure-load.ts';
import { measureReply, type ReplyFigures } from './measure-reply.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { absent, type Contestant, helper, peers, type Product } from './products.ts';
import { renderWidgetReport } from './widget-tables.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A product that can be measured, and what was measured so far. */
interface Measured extends Contestant {
  readonly access: AccessFigures;
  readonly files: FileFigures;
  readonly composerSeconds: number[];
  readonly replies: ReplyFigures[];
}

const missing: string[] = [...absent];

/** If a product fails, the report says why. The other products are still measured. */
async function attempt<Result>(
  { label }: Product,
  what: string,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
    progress(`${label}: ${what}: ${reason}`);
    missing.push(`${label}: ${what}: ${reason}`);
    return undefined;
  }
}

async function prepare(pages: PageServer, directory: string): Promise<Contestant[]> {
  pages.embed(helper.name, `${await startHelper(pages.origin, directory)}/helper/widget.js`);
  const contestants: Contestant[] = [];
  for (const product of [helper, ...peers].filter(({ name }) => flags.only?.includes(name) ?? true)) {
    progress(`${product.name}: preparing`);
    const isReady = await attempt(product, 'install and build', async () => {
      if (product !== helper) pages.serve(product.name, await buildPage(product, install(product)));
      return true;
    });
    if (isReady === true) contestants.push({ product, url: `${pages.origin}/${product.name}/` });
  }
  return contestants;
}

/** What is the same each time; it warms up the servers too. A product that shows no reply falls out. */
async function lookAt(browser: Browser, contestants: readonly Contestant[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const contestant of contestants) {
    progress(`files and accessibility: ${contestant.product.name}`);
    const found = await attempt(contestant.product, 'a reply of 400 tokens', async () => ({
      access: await measureAccess(browser, contestant),
      files: await measureFiles(browser, contestant),
    }));
    if (found !== undefined) measured.push({ ...contestant, ...found, composerSeconds: [], replies: [] });
  }
  return measured;
}

/**
 * The products take turns, so that a slow minute of the machine affects all of them. A measurement that has failed once for a product is
 * not tried again.
 */
async function measureRounds(browser: Browser, measured: readonly Measured[], rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    for (const contestant of measured) {
      const { product, composerSeconds, replies } = contestant;
      progress(`round ${round} of ${rounds}: ${product.name}`);
      if (composerSeconds.length === round - 1) {
        const seconds = await attempt(product, 'opening', () => timeToComposer(browser, contestant));
        if (seconds !== undefined) composerSeconds.push(seconds);
      }
      if (replies.length === round - 1) {
        const reply = await attempt(product, 'the long reply', () => measureReply(browser, contestant));
        if (reply !== undefined) replies.push(reply);
      }
    }
  }
}

async function main(): Promise<void> {
  const rounds = Number(flags.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds wants a whole number above 0');
  if (chromiumPath === undefined) throw new Error('there is no Chromium here: see scripts/install-chromium.sh');
  const build = programPath(new URL('../../../scripts/build.ts', import.meta.url));
  execFileSync(process.execPath, [build, '--if-stale'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const directory = mkdtempSync(join(tmpdir(), 'bench-widget-'));
  const pages = await startPageServer();
  const contestants = await prepare(pages, directory);
  const machine = describeMachine();
  const warning = loadWarning(machine);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  try {
    const measured = await lookAt(browser, contestants);
    await measureRounds(browser, measured, rounds);
    const products = measured.map(({ product, ...figures }) => ({ label: product.label, ...figures }));
    const doubts = warning === undefined ? [] : [warning];
    const report = renderWidgetReport({ machine, rounds, doubts, products, missing });
    console.log(report);
    if (flags.write) writeBetweenMarkers('widget-comparison.md', 'bench widget', report);
  } finally {
    await browser.close();
    pages.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopAll();
    process.exit(1);
  });
}
try {
  await main();
} finally {
  stopAll();
}
process.exit();
