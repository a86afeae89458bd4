/**
 * What a folder of documents costs, and how well answers are found in it: `npm run bench -- --knowledge`. 2,000 files are indexed from
 * nothing and asked 1,000 questions, by words alone and with vectors, each in a process of its own; the help desk of a shop is asked
 * questions in ten languages, and 100 about tables, hyphenated and compound words. A server is asked with and without the folder, to see what the first text waits for.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBetweenMarkers } from '../../support/written-page.ts';
import { describeMachine } from '../report/machine.ts';
import { measureFirstToken } from './first-token.ts';
import { isMissed, type Limit, limitsOf, renderKnowledge } from './knowledge-tables.ts';
import { makeDocuments } from './make-documents.ts';
import type { FolderFigures, FolderJob } from './measure-folder.ts';
import { askHelpDesk } from './quality.ts';
import { askTables } from './table-quality.ts';

/** Prints the figures, and with `write` puts them into the page. The process fails when a figure misses its limit. */
export async function benchKnowledge({ write }: { readonly write: boolean }): Promise<void> {
  const machine = describeMachine();
  const directory = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
  const server = forked('./embedding-process.ts');
  try {
    const port = await firstMessage<number>(server);
    const folder = join(directory, 'documents');
    const questions = makeDocuments(folder);
    const url = `http://127.0.0.1:${String(port)}/v1`;
    const words = await measured({ folder, questions, index: join(directory, 'words'), embeddingsUrl: null });
    const both = await measured({ folder, questions, index: join(directory, 'both'), embeddingsUrl: url });
    const quality = await askHelpDesk(join(directory, 'help-desk'));
    const tables = await askTables(join(directory, 'tables'));
    const firstToken = await measureFirstToken({ directory, folder, questions, embeddingsUrl: url });
    const figures = { words, both, quality, tables, firstToken };
    const limits: readonly Limit[] = limitsOf(figures);
    const text = renderKnowledge({ ...figures, machine, limits });
    console.log(text);
    if (write) writeBetweenMarkers('performance.md', 'bench knowledge', text);
    if (limits.some(isMissed)) process.exitCode = 1;
  } finally {
    server.disconnect();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(job: FolderJob): Promise<FolderFigures> {
  // The memory that V8 keeps for young objects grows with any work and does not belong to the index, so it is limited.
  const child = forked('./measure-folder.ts', ['--max-semi-space-size=2']);
  child.send(job);
  return firstMessage<FolderFigures>(child);
}

function forked(program: string, execArgv: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)), { serialization: 'advanced', execArgv: [...execArgv] });
}

/** @throws Error when the process ends without a message. */
async function firstMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('a process of the benchmark has ended without its figures');
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message]; // our own programs
  ended.catch(() => undefined);
  return message;
}
