import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const own = join(import.meta.dirname, '..', '..', '..', '.cache', 'promtool', 'promtool');
const inPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'promtool'));

/** The path of Prometheus' own tool, if it is on this machine. `scripts/install-promtool.sh` fetches it. */
export const promtoolPath = [own, ...inPath].find((path) => existsSync(path));

/** Milliseconds that a test with promtool may take on a busy machine. */
export const promtoolTestMs = 60_000;

/** Whether promtool is on this machine. */
export const hasPromtool = promtoolPath !== undefined;

/**
 * Runs promtool.
 * @throws Error without promtool.
 */
export function promtool(...parameters: readonly string[]): { readonly ok: boolean; readonly printed: string } {
  if (promtoolPath === undefined) throw new Error('there is no promtool');
  const { status, stdout, stderr } = spawnSync(promtoolPath, parameters, { encoding: 'utf8', timeout: promtoolTestMs });
  return { ok: status === 0, printed: stdout + stderr };
}

/** The version of promtool, for the message of a failure. */
export function promtoolVersion(): string {
  return promtoolPath === undefined ? 'none' : execFileSync(promtoolPath, ['--version'], { encoding: 'utf8' });
}
