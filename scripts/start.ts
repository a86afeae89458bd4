/**
 * `npm start`: builds what is needed, then is the server. One process beside npm's own, which ends with npm: npm hands a
 * signal to the shell between the two, and that dies without passing it on.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build.ts';

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  // Once: a second signal would end the server without letting its turns finish.
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 200).unref();

await buildIfStale();
process.argv.splice(2, 0, 'start');
await import(pathToFileURL(join(import.meta.dirname, '../dist/main.js')).href);
