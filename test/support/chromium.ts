import { existsSync } from 'node:fs';

const candidates = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of Chromium, or undefined without one. CHROMIUM_PATH names one in another place. */
export const chromiumPath = candidates.find((path) => path !== '' && existsSync(path));

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
