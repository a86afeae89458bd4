import { existsSync } from 'node:fs';

const chosen = process.env['CHROMIUM_PATH'] ?? '';
const headlessShell = '/usr/bin/chromium-headless-shell';
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function firstOf(paths: readonly string[]): string | undefined {
  return paths.find((path) => path !== '' && existsSync(path));
}

/** The path of Chromium, or undefined without one. CHROMIUM_PATH names one in another place. */
export const chromiumPath = firstOf([chosen, ...browsers, headlessShell]);

/**
 * The path of the browser of the tests. The headless shell is Chromium without the windows around its pages, and a page costs a quarter of
 * the CPU time in it.
 */
export const testBrowserPath = firstOf([chosen, headlessShell, ...browsers]);

/** Flags that keep Chromium from calling home and from using a screen or a graphics card. */
export const chromiumFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How the browser of the tests starts. */
export const launchOptions = {
  ...(testBrowserPath !== undefined && { executablePath: testBrowserPath }),
  args: [...chromiumFlags],
};
