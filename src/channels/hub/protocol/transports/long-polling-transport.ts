import type { FastifyReply } from 'fastify';
import type { OnceOver } from '../hub-options.ts';
import type { HubTransport } from '../hub-transport.ts';

export interface LongPollingOptions {
  /** Milliseconds after which a poll that found nothing is answered empty. */
  readonly pollMs: number;
  /** Milliseconds without a poll after which the client counts as gone. */
  readonly abandonedMs: number;
  readonly onceOver: OnceOver;
  readonly now: () => number;
}

/**
 * A connection that consists of polls. Each poll waits until there is something to send, and gets everything that was queued. The client
 * sends by POST.
 */
export class LongPollingTransport implements HubTransport {
  readonly name = 'LongPolling';
  /** Resolves when no further poll can come, because the last poll was told so or the client stayed away. */
  readonly gone: Promise<undefined>;
  readonly #options: LongPollingOptions;
  readonly #leave: () => void;
  #queue = '';
  #queuedBytes = 0;
  #poll: { readonly reply: FastifyReply; readonly since: number } | undefined;
  #idleSince: number;
  #encoding: 'utf8' | 'latin1' = 'utf8';
  #opened = false;
  #closing = false;

  constructor(options: LongPollingOptions) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#options = options;
    this.gone = promise;
    this.#leave = () => {
      resolve(undefined);
    };
    this.#idleSince = options.now();
  }

  /** The client waits for news. A poll that waits already ends: its client has given it up. */
  poll(reply: FastifyReply): void {
    // A client that has already left would take the queued records with it, so it gets none.
    const asked = { isOver: false };
    this.#options.onceOver(reply, () => {
      asked.isOver = true;
      if (this.#poll?.reply === reply) this.#release();
    });
    if (asked.isOver) return;
    this.#answer(204);
    this.#poll = { reply, since: this.#options.now() };
    if (this.#opened) this.#flush();
    // The first poll is answered at once and empty: the client takes that answer for the opening.
    else this.#answer(200);
    this.#opened = true;
  }

  useBinary(): void {
    this.#encoding = 'latin1';
  }

  send(records: string): void {
    this.#queue += records;
    this.#queuedBytes += Buffer.byteLength(records, this.#encoding);
    this.#flush();
  }

  get bufferedBytes(): number {
    return this.#queuedBytes;
  }

  close(): void {
    this.#closing = true;
    this.#flush();
  }

  terminate(): void {
    this.#answer(204);
    this.#leave();
  }

  tick(now: number): void {
    const { pollMs, abandonedMs } = this.#options;
    if (this.#poll === undefined) {
      if (now - this.#idleSince >= abandonedMs) this.terminate();
    } else if (now - this.#poll.since >= pollMs) {
      this.#answer(200);
    }
  }

  #flush(): void {
    if (this.#poll === undefined) return;
    if (this.#queue !== '') {
      const records = this.#queue;
      this.#queue = '';
      this.#queuedBytes = 0;
      this.#answer(200, records);
    } else if (this.#closing) {
      this.terminate();
    }
  }

  #answer(status: 200 | 204, records = ''): void {
    const reply = this.#poll?.reply;
    if (reply === undefined) return;
    this.#release();
    void reply
      .code(status)
      .header('cache-control', 'no-cache, no-store')
      .type('application/octet-stream')
      .send(Buffer.from(records, this.#encoding));
  }

  #release(): void {
    this.#poll = undefined;
    this.#idleSince = this.#options.now();
  }
}
