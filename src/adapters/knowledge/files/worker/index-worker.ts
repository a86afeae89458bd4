/** The thread of the indexes: it finds files, has them read, writes the indexes and searches them. The main thread never waits for it. */
import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/describe-error.ts';
import type { FromWorker, ToWorker } from '../messages.ts';
import { IndexedSource } from './indexed-source.ts';

if (parentPort === null)
  throw new Error('this is the worker thread of the document indexes, and no program of its own');
const port = parentPort;
const sources = new Map<number, IndexedSource>();

let lastTurn = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

function tell(message: FromWorker): void {
  port.postMessage(message);
}

port.on('message', (message: ToWorker) => {
  const { source } = message;
  switch (message.kind) {
    case 'open': {
      const opened = new IndexedSource(message, {
        state: (state) => tell({ kind: 'state', source, state }),
        log: (line) => tell({ kind: 'log', source, ...line }),
        inTurn,
      });
      sources.set(source, opened);
      opened.start();
      break;
    }
    case 'ask':
      answer(message);
      break;
    case 'close':
      sources.get(source)?.close();
      sources.delete(source);
      tell({ kind: 'closed', source });
      break;
  }
});

function answer({ id, source, question }: ToWorker & { readonly kind: 'ask' }): void {
  try {
    const asked = sources.get(source);
    if (asked === undefined) throw new Error('the source is not open');
    tell({ kind: 'answer', id, answer: asked.answer(question) });
  } catch (error) {
    tell({ kind: 'failed', id, reason: describeError(error) });
  }
}
