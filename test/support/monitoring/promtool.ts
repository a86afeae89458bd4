import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const own = join(import.meta.dirname, '..', '..', '..', '.cache', 'promtool', 'promtool');
const inPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'promtool'));
const binary = [own, ...inPath].find((path) => existsSync(path));

/** Milliseconds that a test with promtool may take on a busy machine. */
export const promtoolTestMs = 60_000;

/** Whether Prometheus' own tool is here: `scripts/install-promtool.sh` fetches it. */
export const hasPromtool = binary !== undefined;

/** Runs promtool. @throws Error when there is none. */
export function promtool(...parameters: readonly string[]): { readonly ok: boolean; readonly printed: string } {
  if (binary === undefined) throw new Error('there is no promtool');
  const { status, stdout, stderr } = spawnSync(binary, parameters, { encoding: 'utf8', timeout: promtoolTestMs });
  return { ok: status === 0, printed: stdout + stderr };
}

/** Which promtool it is, for a failure on a machine with another one. */
export function promtoolVersion(): string {
  return binary === undefined ? 'none' : execFileSync(binary, ['--version'], { encoding: 'utf8' });
}
