import { buildIfStale } from '../../scripts/build.ts';

/** Runs before the files of a project of Vitest: their server processes are the built server. */
export async function setup(): Promise<void> {
  await buildIfStale();
}
