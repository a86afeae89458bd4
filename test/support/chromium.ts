import { existsSync } from 'node:fs';

const candidates = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where Chromium stands; undefined without one. CHROMIUM_PATH names one that stands elsewhere. */
export const chromiumPath = candidates.find((path) => path !== '' && existsSync(path));

/** Nothing that calls home, and nothing that needs a screen or a graphics card. */
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
