/** Copied into the checkout that is measured. Vitest runs it before each test file. Processes that the test starts inherit the name. */
import { relative } from 'node:path';
import { expect } from 'vitest';

process.env['HELPER_MUTANTS_TEST'] = relative(import.meta.dirname, expect.getState().testPath ?? '');
