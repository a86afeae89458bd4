/**
 * Copied into the checkout that is measured. Its own configuration, but one project or two, test files in the order in which they are
 * asked for, and less patience: a test that waits in vain has found its mutant.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Options = Readonly<Record<string, unknown>>;

/** What this file needs to know of the configuration of a checkout. */
interface Configuration {
  readonly test: Options & { readonly projects: readonly { readonly test: Options & { readonly name: string } }[] };
}

// A mutant is met by all tests of a file.
process.env['HELPER_TIER'] ??= 'files';
const playing = process.env['HELPER_MUTANT'] !== undefined;
const names = (process.env['HELPER_MUTANTS_PROJECTS'] ?? '').split(',');
const file = pathToFileURL(join(import.meta.dirname, 'vitest.config.ts')).href;
const whole = ((await import(file)) as { readonly default: Configuration }).default; // every version of the project has one like it

class AsAsked {
  sort(files: readonly unknown[]): readonly unknown[] {
    return files;
  }

  shard(files: readonly unknown[]): readonly unknown[] {
    return files;
  }
}

function optionsOf(own: Options & { readonly name: string }): Options {
  const setupFiles = ['mutant-setup.ts', ...[own['setupFiles'] ?? []].flat()];
  // Alone in its worker, a test file reaches what it reaches by itself.
  if (!playing) return { ...own, setupFiles, isolate: true, maxWorkers: 2 };
  const patience = own.name === 'unit' ? 5_000 : 20_000;
  return { ...own, setupFiles, maxWorkers: 1, testTimeout: patience, hookTimeout: patience };
}

const projects = whole.test.projects.filter(({ test }) => names.includes(test.name));

export default {
  ...whole,
  // The packages are those of the checkout.
  cacheDir: join(import.meta.dirname, '.vite'),
  test: {
    ...whole.test,
    reporters: [{ onTestModuleEnd: () => process.send?.('alive') }],
    sequence: { sequencer: AsAsked },
    projects: projects.map((project) => ({ ...project, test: optionsOf(project.test) })),
  },
};
