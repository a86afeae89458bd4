import { untilStopped } from '../../../core/base/until-stopped.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import type { BusSource } from '../../../core/ports/replica-bus.ts';
import { mostItemBytes, streamWindow } from '../bus-limits.ts';
import { codeOf } from '../code-of.ts';
import type { BusLine } from '../messages/bus-line.ts';

/** A stream that another replica follows: sends what the source gives, in order, while the reader has room for it. */
export class OfferedStream {
  /** The replica that reads. */
  readonly reader: string;
  readonly #line: BusLine;
  readonly #address: { readonly to: string; readonly id: string };
  readonly #ending = new AbortController();
  #sent = 0;
  #granted = streamWindow;
  #heardAt: number;
  #roomCame: (() => void) | undefined;

  constructor(line: BusLine, address: { readonly to: string; readonly id: string }) {
    this.#line = line;
    this.#address = address;
    this.reader = address.to;
    this.#heardAt = line.clock.elapsed();
  }

  /** Sends the stream to its end. Resolves with the fault of the source, if it had one. */
  async run(source: BusSource, body: unknown): Promise<unknown> {
    const { signal } = this.#ending;
    const beating = setInterval(() => {
      this.#beat();
    }, this.#line.times.heartbeatMs);
    let iterator: AsyncIterator<unknown> | undefined;
    let fault: unknown;
    try {
      iterator = source(body, { replica: this.reader, signal })[Symbol.asyncIterator]();
      await this.#sendAll(iterator);
    } catch (error) {
      fault = error;
    }
    clearInterval(beating);
    // A source that waits for something cannot be made to end. Its signal has told it.
    if (fault !== undefined) void leave(iterator);
    if (signal.aborted) return undefined;
    this.#ending.abort(new BusAway('the stream has ended'));
    const end = { type: 'end', number: this.#sent, code: fault === undefined ? null : codeOf(fault) } as const;
    await this.#line.send(this.#address, end).catch(() => undefined);
    return fault instanceof BusAway ? undefined : fault;
  }

  /** The reader lives, and has room up to this number. */
  grant(number: number): void {
    this.#heardAt = this.#line.clock.elapsed();
    this.#granted = Math.max(this.#granted, number);
    this.#roomCame?.();
  }

  /** Ends the stream without a word: the reader has left, or this replica ends. */
  end(): void {
    this.#ending.abort(new BusAway('the reader has left'));
  }

  async #sendAll(iterator: AsyncIterator<unknown>): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      // A source that is not asked for more is left where it stands, and can tidy up there.
      signal.throwIfAborted();
      const next = await untilStopped(Promise.resolve(iterator.next()), signal);
      if (next.done === true) return;
      // A large message is stored only once there is room for it: it is not stored for as long as a slow reader may need.
      while (this.#sent >= this.#granted) await this.#room(signal);
      const packed = await this.#line.pack(next.value, mostItemBytes);
      signal.throwIfAborted();
      this.#sent += 1;
      await this.#line.send(this.#address, { type: 'item', number: this.#sent }, packed);
    }
  }

  #room(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#roomCame = () => {
      resolve(undefined);
    };
    return untilStopped(promise, signal);
  }

  #beat(): void {
    const { times, clock } = this.#line;
    if (clock.elapsed() - this.#heardAt > times.silenceMs) this.end();
    // A beat that is lost is missed by nobody but a reader of a stream that is silent.
    else void this.#line.send(this.#address, { type: 'beat', number: this.#sent }).catch(() => undefined);
  }
}

async function leave(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  await iterator?.return?.().catch(() => undefined);
}
