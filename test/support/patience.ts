import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { patienceMs } from './patience-limit.ts';
import { seedOf } from './run/tier.ts';

export { patienceMs };

interface Options {
  readonly timeout?: number;
  readonly interval?: number;
}

const { waitFor, waitUntil } = vi;
const { poll } = expect;

const patient = (options: number | Options = {}): Options =>
  typeof options === 'number' ? { timeout: options } : { timeout: patienceMs, ...options };

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
expect.poll = (callback, options) => poll(callback, { timeout: patienceMs, ...options });

// Of properties that name no seed themselves.
fc.configureGlobal({ seed: seedOf() });
