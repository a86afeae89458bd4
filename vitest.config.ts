import { defineConfig } from 'vitest/config';
import { testLimitMs } from './test/support/patience-limit.ts';
import { ClosingLines } from './test/support/run/closing-lines.ts';
import { FileOrder } from './test/support/run/file-order.ts';

/**
 * The folders of each project. A worker that goes on to another project starts anew and imports everything again, so what needs the same
 * server is one project. Files run side by side but for those that measure, which run alone at the end.
 */
const projects = {
  integration: ['browser', 'conformance', 'fault', 'integration'],
  unit: ['unit'],
  stress: ['stress'],
} as const;

/** `--sequence.shuffle.files` has its own order. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

process.env['HELPER_TIER'] ??= process.argv.slice(2).some((argument) => /\btest\/|\.test\b/.test(argument))
  ? 'files'
  : 'short';

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLines()],
    sequence: isShuffled ? {} : { sequencer: FileOrder },
    globalSetup: ['test/support/services/services-of-run.ts'],
    projects: Object.entries(projects).map(([name, folders]) => ({
      test: {
        name,
        include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
        environment: 'node' as const,
        // A worker imports the server once for all of its files: what a test changes in the process it must put back.
        isolate: false,
        runner: 'test/support/run/short-runner.ts',
        setupFiles: [
          'test/support/run/as-before.ts',
          'test/support/patience.ts',
          ...(name === 'unit' ? ['test/support/run/unit-alone.ts'] : []),
        ],
        globalSetup: name === 'unit' ? [] : ['test/support/build-first.ts'],
        // Nothing waits for so long on purpose.
        testTimeout: testLimitMs,
        hookTimeout: testLimitMs,
        // Plugins are run by Node itself, as in production: their `import … from 'helper'` is resolved by the server.
        server: { deps: { external: [new RegExp(`^(?!${import.meta.dirname}/(?!plugins/))`)] } },
        sequence: { groupOrder: name === 'stress' ? 1 : 0 },
        // Tests that start servers and browsers wait a part of the time, so there is one worker more than small machines have cores.
        maxWorkers: name === 'stress' ? 1 : 3,
      },
    })),
  },
});
