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

/** The configuration that is shipped. */
export const shippedConfiguration = join(root, 'config/helper.yaml');

/**
 * Takes the sample documents out of the shipped configuration: to index them costs more than the rest of a start. A test that is about
 * them names `shippedConfiguration` itself.
 */
export const withoutDocuments = {
  HELPER__RAGSOURCES: '[]',
  HELPER__USERAG: 'false',
  HELPER__SHOWRAGSOURCES: 'false',
} as const;
