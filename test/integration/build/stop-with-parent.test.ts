import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../scripts/stop-with-parent.ts');

/** A server that prints that it runs, and later how it ends. A shell waits for it, as npm's shell does. */
const server = `
  import { stopWithParent } from ${JSON.stringify(script)};
  process.on('SIGTERM', () => { console.log('told to stop'); process.exit(0); });
  stopWithParent();
  setTimeout(() => { console.log('still here'); process.exit(0); }, Number(process.env.PATIENCE));
  console.log('runs as', process.pid);
`;

const shells: ChildProcessByStdio<null, Readable, null>[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) shell.kill('SIGKILL');
});

/** Kills the shell around the server once the server runs. Resolves with what the server has printed until its end. */
async function printedAfterTheShellDied(environment: Readonly<Record<string, string>>): Promise<string> {
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module-typescript -e "$SERVER"; true'], {
    env: { PATH: process.env['PATH'], NODE: process.execPath, SERVER: server, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  shells.push(shell);
  let printed = '';
  // The pipe ends when both the shell and the server have ended.
  for await (const text of shell.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('runs as')) shell.kill('SIGTERM');
  }
  return printed;
}

describe('npm start that is told to stop (contract/restarts.md#stopping)', () => {
  it('leaves no server behind when only npm and its shell get the signal', async () => {
    const printed = await printedAfterTheShellDied({ npm_lifecycle_event: 'start', PATIENCE: '20000' });
    expect(printed).toContain('told to stop');
  });

  it('a server that npm did not start outlives its shell', async () => {
    const printed = await printedAfterTheShellDied({ PATIENCE: '600' });
    expect(printed).not.toContain('told to stop');
    expect(printed).toContain('still here');
  });
});
