/** The thread of the indexes. It finds files, has them read, writes the indexes and searches them. The main thread never waits for it. */
import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/describe-error.ts';
import type { Call, CallAnswer, Calls, FromWorker, ToWorker } from '../messages.ts';
import { IndexedSource } from './indexed-source.ts';

if (parentPort === null)
  throw new Error('this is the worker thread of the document indexes, and no program of its own');
const port = parentPort;
const sources = new Map<number, IndexedSource>();
/** Calls that the main thread has not answered. */
const calling = new Map<number, (answer: CallAnswer) => void>();
let lastCall = 0;

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
        call: (what, asked) => call(source, what, asked),
      });
      sources.set(source, opened);
      opened.start();
      break;
    }
    case 'ask':
      answer(message);
      break;
    case 'called':
      calling.get(message.id)?.(message.answer);
      calling.delete(message.id);
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

/** Asks the main thread, because the models and the stores are there. */
function call<What extends keyof Calls>(
  source: number,
  what: What,
  asked: Calls[What]['asked'],
): Promise<Calls[What]['answer']> {
  lastCall += 1;
  const id = lastCall;
  const { promise, resolve } = Promise.withResolvers<Calls[What]['answer']>();
  // The main thread answers a call with what `Calls` has for it.
  calling.set(id, (answer) => resolve(answer));
  // `what` and `asked` belong together, but TypeScript loses that for a type parameter.
  tell({ kind: 'call', source, id, call: { what, asked } as Call });
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
