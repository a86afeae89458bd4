import { vi } from 'vitest';

/** Milliseconds that a test waits for something to become so, unless it says another number. A busy machine takes its time; vitest gives it 1 s. */
const patienceMs = 10_000;

type Options = Parameters<typeof vi.waitUntil>[1];

const { waitFor, waitUntil } = vi;

function patient(options: Options): Options {
  return typeof options === 'number' ? options : { timeout: patienceMs, ...options };
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
