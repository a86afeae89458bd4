import type { Answer, Question, ToWorker } from './messages.ts';

type Ask = ToWorker & { readonly kind: 'ask' };

/** What a queue calls. */
export interface QueueOutlets {
  /** Hands a question to the thread. The thread answers every question that it is given. */
  give(ask: Ask): void;
  /** Called after a question has been added or removed. */
  changed(): void;
}

/** The most questions that wait. Further ones are refused at once. */
const mostWaiting = 200;
/**
 * The most questions that the thread has at a time. While it works on one question, the next one is there already. A question cannot be
 * taken back from the thread.
 */
const mostGiven = 2;

interface Waiting {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The questions that wait for the thread. A question that is given up before its turn costs the thread nothing. */
export class QuestionQueue {
  readonly #outlets: QueueOutlets;
  /** All open questions, in the order in which they came. */
  readonly #waiting = new Map<number, Waiting>();
  /** The ids of the questions that the thread has, including those whose askers have given up. */
  readonly #given = new Set<number>();
  #lastId = 0;

  constructor(outlets: QueueOutlets) {
    this.#outlets = outlets;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Rejects when too many questions wait, and when the signal aborts. */
  add(about: { readonly source: number; readonly question: Question }, signal?: AbortSignal): Promise<Answer> {
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    if (this.#waiting.size >= mostWaiting) return Promise.reject(new Error('too many questions wait already'));
    this.#lastId += 1;
    const id = this.#lastId;
    const asked = new Promise<Answer>((resolve, reject) => {
      const stop = (): void => {
        this.#take(id)?.reject(signal === undefined ? new Error('stopped') : reasonOf(signal));
      };
      const listening =
        <Value>(then: (value: Value) => void): ((value: Value) => void) =>
        (value) => {
          signal?.removeEventListener('abort', stop);
          then(value);
        };
      const ask: Ask = { kind: 'ask', id, ...about };
      this.#waiting.set(id, { ask, resolve: listening(resolve), reject: listening(reject) });
      signal?.addEventListener('abort', stop, { once: true });
    });
    this.#outlets.changed();
    this.#giveNext();
    return asked;
  }

  /** The thread has answered a question. */
  answered(id: number, answer: Answer | Error): void {
    this.#given.delete(id);
    const waiting = this.#take(id);
    if (answer instanceof Error) waiting?.reject(answer);
    else waiting?.resolve(answer);
    this.#giveNext();
  }

  /** To be called when the thread has ended. Rejects all questions, because the thread answers none of them any more. */
  rejectAll(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new Error(reason));
    this.#given.clear();
  }

  #giveNext(): void {
    for (const [id, { ask }] of this.#waiting) {
      if (this.#given.size >= mostGiven) return;
      if (this.#given.has(id)) continue;
      this.#given.add(id);
      this.#outlets.give(ask);
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#outlets.changed();
    return waiting;
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('stopped', { cause: signal.reason });
}
