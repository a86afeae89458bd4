/**
 * `npm run pictures`: makes the pictures of the README from the demo of the built server, in a real browser: the order desk with a question
 * in the light and in the dark look, and a short film of "ask, confirm, done". The film needs `img2webp` (Debian: `webp`).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../test/support/chromium.ts';

const root = join(import.meta.dirname, '..');
const output = join(root, 'docs/pictures');

/** The most bytes of each file. A README is read over slow lines too. */
const limits = { 'order-desk-light.png': 200_000, 'order-desk-dark.png': 200_000, 'ask-confirm-done.webp': 1_000_000 };

/** A picture of the film, and for how many milliseconds it stands. */
interface Frame {
  readonly file: string;
  readonly ms: number;
}

async function demoServer(data: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = spawn(process.execPath, ['dist/main.js', 'start'], {
    cwd: root,
    env: { ...process.env, HELPER__SERVER__PORT: '0', HELPER__STORAGE__PATH: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(server, 'close');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await gone;
  };
  let printed = '';
  for await (const chunk of server.stdout) {
    printed += String(chunk);
    const [, url] = /"demoPage":"(http:[^"]+)"/.exec(printed) ?? [];
    if (url === undefined) continue;
    server.stdout.resume();
    return { url, stop };
  }
  throw new Error(`the server ended: ${printed}`);
}

async function openDemo(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 760 }, colorScheme });
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.locator('helper-widget button.launcher').click();
  await tab.locator('helper-widget dialog.panel textarea').waitFor();
  return tab;
}

const question = 'Cancel order 1002';

async function askIn(tab: Page): Promise<void> {
  await tab.locator('helper-widget dialog.panel textarea').press('Enter');
  await tab.locator('helper-widget').getByRole('button', { name: 'Cancel the order' }).waitFor();
  await settled(tab);
}

/** Waits for the end of all movements. Those that never end are not waited for. */
async function settled(tab: Page): Promise<void> {
  await tab.evaluate(`Promise.race([
    new Promise((done) => setTimeout(done, 1500)),
    Promise.all(document.querySelector('helper-widget').shadowRoot.getAnimations().map(({ finished }) => finished)),
  ])`);
}

async function still(browser: Browser, url: string, look: 'light' | 'dark'): Promise<void> {
  const tab = await openDemo(browser, url, look);
  await tab.locator('helper-widget dialog.panel textarea').fill(question);
  await askIn(tab);
  await tab.screenshot({ path: join(output, `order-desk-${look}.png`) });
  await tab.close();
}

async function film(browser: Browser, url: string, folder: string): Promise<readonly Frame[]> {
  const tab = await openDemo(browser, url, 'light');
  const frames: Frame[] = [];
  const take = async (ms: number): Promise<void> => {
    await settled(tab);
    const file = join(folder, `${String(frames.length).padStart(3, '0')}.png`);
    await tab.screenshot({ path: file });
    frames.push({ file, ms });
  };
  await take(1400);
  const field = tab.locator('helper-widget dialog.panel textarea');
  for (let typed = 3; typed < question.length; typed += 3) {
    await field.fill(question.slice(0, typed));
    await take(130);
  }
  await field.fill(question);
  await take(700);
  await askIn(tab);
  await take(2200);
  const approve = tab.locator('helper-widget').getByRole('button', { name: 'Cancel the order' });
  await approve.hover();
  await take(700);
  await approve.click();
  await tab.locator('tr[data-key="1002"]').getByText('cancelled').waitFor();
  await tab.locator('helper-widget dialog.panel textarea').hover();
  await take(3200);
  await tab.close();
  return frames;
}

async function makePictures(): Promise<void> {
  if (chromiumPath === undefined) throw new Error('this needs Chromium: scripts/install-chromium.sh installs it');
  const work = mkdtempSync(join(tmpdir(), 'helper-pictures-'));
  mkdirSync(output, { recursive: true });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  try {
    const server = await demoServer(join(work, 'data'));
    try {
      for (const look of ['light', 'dark'] as const) await still(browser, server.url, look);
      const frames = await film(browser, server.url, work);
      const words = frames.flatMap(({ file, ms }) => ['-d', String(ms), file]);
      const file = join(output, 'ask-confirm-done.webp');
      execFileSync('img2webp', ['-loop', '0', '-min_size', '-lossy', '-q', '80', '-m', '6', ...words, '-o', file]);
    } finally {
      await server.stop();
    }
  } finally {
    await browser.close();
    rmSync(work, { recursive: true, force: true });
  }
  for (const [name, most] of Object.entries(limits)) {
    const { size } = statSync(join(output, name));
    if (size > most) throw new Error(`${name} has ${String(size)} bytes, and may have ${String(most)}`);
    console.log(`${String(Math.ceil(size / 1000)).padStart(5)} kB  docs/pictures/${name}`);
  }
}

await makePictures();
