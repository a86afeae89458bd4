/** The thread of the indexes. It finds files, has them read, writes the indexes and searches them. The main thread never waits for it. */
import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/describe-error.ts';
import type { EmbedAnswer, FromWorker, ToWorker, WantedVectors } from '../messages.ts';
import { IndexedSource } from './indexed-source.ts';

if (parentPort === null)
  throw new Error('this is the worker thread of the document indexes, and no program of its own');
const port = parentPort;
const sources = new Map<number, IndexedSource>();
/** Calls for vectors that the main thread has not answered. */
const embedding = new Map<number, (answer: EmbedAnswer) => void>();
let lastEmbedding = 0;

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
        embed: (wanted) => embed(source, wanted),
      });
      sources.set(source, opened);
      opened.start();
      break;
    }
    case 'ask':
      answer(message);
      break;
    case 'embedded':
      embedding.get(message.id)?.(message.answer);
      embedding.delete(message.id);
      break;
    case 'vectors':
      sources.get(source)?.embedBy(message.vectors);
      break;
    case 'close':
      sources.get(source)?.close();
      sources.delete(source);
      tell({ kind: 'closed', source });
      break;
  }
});

/** Asks the main thread for vectors, because the models are there. */
function embed(source: number, wanted: WantedVectors): Promise<EmbedAnswer> {
  lastEmbedding += 1;
  const id = lastEmbedding;
  const { promise, resolve } = Promise.withResolvers<EmbedAnswer>();
  embedding.set(id, resolve);
  tell({ kind: 'embed', source, id, ...wanted });
  return promise;
}

function answer({ id, source, question }: ToWorker & { readonly kind: 'ask' }): void {
  try {
    const asked = sources.get(source);
    if (asked === undefined) throw new Error('the source is not open');
    tell({ kind: 'answer', id, answer: asked.answer(question) });
  } catch (error) {
    tell({ kind: 'failed', id, reason: describeError(error) });
  }
}
