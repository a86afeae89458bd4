import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The program of every server process of a test: the server as it ships. It starts in half the CPU time that its source takes. */
export const builtServer = join(root, 'dist/main.js');

/**
 * The environment of every server process of a test. The processes share the cache of compiled sources of Node.js. Without the cache each
 * start takes twice as long.
 */
export const processEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/sources'),
} as const;
