import { execFileSync, spawnSync } from 'node:child_process';
import { testLimitMs } from '../patience-limit.ts';
import { promtoolPath } from '../tools-here.ts';

/** Whether promtool is on this machine. */
export const hasPromtool = promtoolPath !== undefined;

/**
 * Runs promtool.
 * @throws Error without promtool.
 */
export function promtool(...parameters: readonly string[]): { readonly ok: boolean; readonly printed: string } {
  if (promtoolPath === undefined) throw new Error('there is no promtool');
  const { status, stdout, stderr } = spawnSync(promtoolPath, parameters, { encoding: 'utf8', timeout: testLimitMs });
  return { ok: status === 0, printed: stdout + stderr };
}

/** The version of promtool, for the message of a failure. */
export function promtoolVersion(): string {
  return promtoolPath === undefined ? 'none' : execFileSync(promtoolPath, ['--version'], { encoding: 'utf8' });
}
