import { defineConfig } from 'vitest/config';

/** One project per kind of test; `npm test` runs them all, fast ones first. */
const kinds = ['unit', 'integration', 'conformance', 'browser', 'fault', 'stress'] as const;

export default defineConfig({
  test: {
    projects: kinds.map((kind) => ({
      test: {
        name: kind,
        include: kind === 'unit' ? ['test/unit/**/*.test.ts', 'test/spec/**/*.test.ts'] : [`test/${kind}/**/*.test.ts`],
        environment: 'node' as const,
        setupFiles: ['test/support/patience.ts'],
        globalSetup: kind === 'unit' ? [] : ['test/support/build-first.ts'],
        // A machine with two cores takes its time over processes and browsers; nothing waits for so long on purpose.
        testTimeout: kind === 'unit' ? 15_000 : 60_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: 10_000 } },
        // Plugins are run by Node itself, as in production: their `import … from 'helper'` is resolved by the server.
        server: { deps: { external: [new RegExp(`^(?!${import.meta.dirname}/(?!plugins/))`)] } },
        sequence: { groupOrder: kinds.indexOf(kind) },
        // Those that measure run alone; those that start servers and browsers wait most of the time.
        maxWorkers: kind === 'stress' ? 1 : kind === 'integration' || kind === 'browser' ? 3 : 2,
      },
    })),
  },
});
