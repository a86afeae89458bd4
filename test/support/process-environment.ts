import { join } from 'node:path';

/**
 * What every server process of a test gets of the environment. The processes share what Node.js has made of the sources: without it each
 * start costs twice as much.
 */
export const processEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/sources'),
} as const;
