/**
 * Plays the first minute of a new user: a clean clone, the commands of the README, the demo page in a browser, and an action that is
 * asked for and confirmed with three clicks. Each step is timed. `--write` puts the times into `docs/reference/first-minute.md`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../test/support/chromium.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/reference/first-minute.md');
const port = '18080';

/** The name of each step, and its seconds. */
async function playMinute(): Promise<readonly (readonly [step: string, seconds: number])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-newcomer-'));
  const clone = join(folder, 'helper');
  const times: [string, number][] = [];
  let last = performance.now();
  const done = (step: string): void => {
    const now = performance.now();
    times.push([step, (now - last) / 1000]);
    last = now;
  };
  try {
    execFileSync('git', ['clone', '--quiet', root, clone]);
    done('`git clone`');
    execFileSync('npm', ['ci'], { cwd: clone, stdio: 'ignore' });
    done('`npm ci`');
    const server = spawn('npm', ['start'], {
      cwd: clone,
      env: { ...process.env, HELPER__SERVER__PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      await listening(server.stdout);
      done('`npm start`, until it listens');
      await confirmAction(done);
    } finally {
      process.kill(-(server.pid ?? 0), 'SIGTERM');
      await once(server, 'close');
    }
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listening(output: NodeJS.ReadableStream): Promise<void> {
  let printed = '';
  for await (const chunk of output) {
    printed += String(chunk);
    if (printed.includes(`:${port}`)) return;
  }
  throw new Error(`npm start ended: ${printed}`);
}

async function confirmAction(done: (step: string) => void): Promise<void> {
  if (chromiumPath === undefined) throw new Error('this needs Chromium: scripts/install-chromium.sh installs it');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await tab.goto(`http://localhost:${port}/`);
    const prompt = tab.getByRole('button', { name: 'Change the address of order 1005' });
    await prompt.waitFor();
    done('the demo page opens');
    await prompt.click();
    const panel = tab.locator('helper-widget dialog.panel');
    const approve = panel.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    done('a prompt is pressed, and the assistant asks');
    await approve.click();
    await tab.locator('tr[data-key="1005"]').getByText('2 Canal Side').waitFor();
    done('“Approve” is pressed, and the order has its new address');
  } finally {
    await browser.close();
  }
}

/** The page with these times between its two marks. */
function pageWith(times: readonly (readonly [step: string, seconds: number])[]): string {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = ['<!-- times -->\n', '<!-- end of times -->'];
  const total = times.reduce((sum, [, seconds]) => sum + seconds, 0);
  const rows = [...times, ['**all of it**', total] as const].map(([step, s]) => `| ${step} | ${s.toFixed(1)} s |`);
  const machine = `${String(cpus().length)} cores, ${String(Math.round(totalmem() / 2 ** 30))} GB, packages from a registry nearby`;
  const table = ['| Step | Time |', '| --- | --- |', ...rows].join('\n');
  return `${text.slice(0, text.indexOf(begin) + begin.length)}\nOn a machine with ${machine}:\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
}

const times = await playMinute();
for (const [step, seconds] of times) process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${step}\n`);
if (process.argv.includes('--write')) writeFileSync(page, pageWith(times));
