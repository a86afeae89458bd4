import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

/** The path of Firefox, or undefined without one. FIREFOX_PATH names one in another place. */
export const firefoxPath = [
  process.env['FIREFOX_PATH'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'firefox-esr')),
].find((path) => path !== '' && existsSync(path));

/** Whether this run plays the tests of pages in Firefox (`HELPER_BROWSER=firefox`). */
export const isFirefox = process.env['HELPER_BROWSER'] === 'firefox';

/** How Firefox starts. */
export const firefoxOptions: LaunchOptions = {
  channel: 'moz-firefox',
  executablePath: join(import.meta.dirname, 'firefox.sh'),
  env: { ...process.env, HELPER_TEST_NODE: process.execPath, FIREFOX_PATH: firefoxPath ?? '' },
  // Without a screen it takes itself for a device without a mouse.
  firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
};

/**
 * What `npm run test:long` plays in Firefox. The other tests of pages need what only Chromium offers to tests: a clipboard, a phone, the
 * measured cost of a page. A page of Debian's Firefox also ends when its driver asks for the texts of several elements of a list at once.
 */
export const firefoxFiles: readonly string[] = ['header', 'suggestions', 'ui-actions', 'walk-through'].map(
  (name) => `test/browser/${name}.test.ts`,
);
