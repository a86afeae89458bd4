import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import workerThreads from 'node:worker_threads';

/**
 * Keeps unit tests quick: what starts a server, a process or a thread is an integration test, and fails here by name. Vitest itself has
 * started its worker before. A short program that is waited for, such as mkfifo, may be run.
 */
function refused(what: string): never {
  throw new Error(`a unit test starts no ${what}: move the file into test/integration`);
}

Server.prototype.listen = () => refused('server');
for (const name of ['spawn', 'exec', 'execFile', 'fork'] as const) {
  Object.assign(childProcess, { [name]: () => refused('process') });
}
function RefusedThread(): never {
  refused('thread');
}
Object.assign(workerThreads, { Worker: RefusedThread });
syncBuiltinESMExports();
