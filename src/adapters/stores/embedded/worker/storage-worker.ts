/**
 * The worker thread that has SQLite. In the role `writer` it writes, in the role `reader` it reads beside a busy writer, and in the role
 * `backup` it makes a backup. The main thread never waits for a disk.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import type { Answer, FromWorker, Request, ToWorker, WorkerStart } from '../messages.ts';
import { writeBackup } from '../backup/backup-file.ts';
import { storageFiles } from '../storage-files.ts';
import { faultOf } from './fault-of.ts';
import { openReader } from './open-connection.ts';
import { answerRead } from './reader.ts';
import { Writer } from './writer.ts';

if (parentPort === null) throw new Error('this is the worker thread of the storage, and no program of its own');
const port = parentPort;
const start = workerData as WorkerStart; // storage-thread.ts starts this file with it

function tell(message: FromWorker): void {
  port.postMessage(message);
}

function open(openFiles: () => boolean): void {
  try {
    tell({ kind: 'ready', begunAnew: openFiles() });
  } catch (error) {
    tell({ kind: 'unusable', fault: faultOf(error) });
  }
}

function beWriter(): void {
  const writer = new Writer(start, tell);
  open(() => writer.open());
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'requests') {
      for (const request of message.requests) writer.take(request);
      return;
    }
    writer.close();
    port.close();
  });
}

function beReader(): void {
  let connection: Database | undefined;
  open(() => {
    connection = openReader(storageFiles(start.folder));
    return false;
  });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') {
      connection?.close();
      port.close();
      return;
    }
    for (const request of message.requests) tell({ kind: 'answers', answers: [answer(request)] });
  });
  function answer(request: Request): Answer {
    if (request.kind === 'read' && connection !== undefined) {
      return answerRead(connection, request.id, request.statements);
    }
    const fault = { code: '', reason: 'the reader of the storage is not open' };
    return { id: request.id, kind: 'failed', fault };
  }
}

/** Makes a backup. The thread ends after that. */
function makeBackup({ target, note }: NonNullable<WorkerStart['backup']>): void {
  open(() => {
    writeBackup(storageFiles(start.folder), target, note);
    return false;
  });
}

if (start.role === 'writer') beWriter();
else if (start.backup === undefined) beReader();
else makeBackup(start.backup);
