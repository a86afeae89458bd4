/** `npm start`: builds if needed, and then becomes the server. The server is one process beside npm's own, and ends with npm. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build.ts';
import { stopWithParent } from './stop-with-parent.ts';

stopWithParent();
await buildIfStale();
process.argv.splice(2, 0, 'start');
await import(pathToFileURL(join(import.meta.dirname, '../dist/main.js')).href);
