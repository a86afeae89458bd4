import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A process that reads a file for ever. Resolves once it has begun. */
async function reading(what: 'work' | 'wait', limits: { readonly cpu: number; readonly all: number }) {
  const program = join(import.meta.dirname, '../support/watched-reading.ts');
  const child = spawn(process.execPath, [program, what, String(limits.cpu), String(limits.all)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as unknown); // as Node documents it
  await once(child.stdout, 'data');
  return { child, ended };
}

describe('the reading of a file (contract/document-folders.md#bad-files)', () => {
  // proves service-2.11-76
  it('ends for the work that it makes', async () => {
    const waits = await reading('wait', { cpu: 1_000, all: 60_000 });
    const works = await reading('work', { cpu: 1_000, all: 60_000 });
    expect(await works.ended).toBe('SIGTERM');
    // It has had more time, and has done next to nothing.
    expect([waits.child.exitCode, waits.child.signalCode]).toEqual([null, null]);
  });

  // proves service-2.11-76
  it('waits for a busy machine, up to a limit', async () => {
    const waits = await reading('wait', { cpu: 60_000, all: 500 });
    expect(await waits.ended).toBe('SIGTERM');
  });
});
