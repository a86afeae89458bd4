/**
 * `npm start`: builds what is needed, then is the server. One process, so that a signal sent to npm reaches it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build.ts';

await buildIfStale();
process.argv.splice(2, 0, 'start');
await import(pathToFileURL(join(import.meta.dirname, '../dist/main.js')).href);
