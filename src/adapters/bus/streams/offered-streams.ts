import { LiveMap } from '../../../core/base/live-map.ts';
import { AnswerFailed } from '../../../core/ports/answer-failed.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { BusSource } from '../../../core/ports/replica-bus.ts';
import { mostStreams } from '../bus-limits.ts';
import type { BusLine } from '../messages/bus-line.ts';
import type { BusMessage } from '../messages/bus-message.ts';
import { OfferedStream } from './offered-stream.ts';

/** What can be followed. */
interface Offer {
  readonly kind: string;
  readonly source: BusSource;
}

/** The streams of this replica that others follow. */
export class OfferedStreams {
  readonly #line: BusLine;
  readonly #log: Logger;
  readonly #streams = new LiveMap<OfferedStream>();

  constructor(line: BusLine, log: Logger) {
    this.#line = line;
    this.#log = log;
  }

  /**
   * Begins to send a stream to the replica that has opened it.
   * @throws AnswerFailed with the code `overloaded` when there are too many streams.
   */
  open({ source, kind }: Offer, body: unknown, address: { readonly to: string; readonly id: string }): void {
    if (this.#streams.size >= mostStreams) throw new AnswerFailed('overloaded');
    const { id } = address;
    const stream = new OfferedStream(this.#line, address);
    this.#streams.set(id, stream);
    void stream.run(source, body).then((fault) => {
      this.#streams.delete(id);
      if (fault !== undefined) this.#log.error({ error: fault, kind }, 'a stream to another replica failed');
    });
  }

  take(message: BusMessage<'grant' | 'leave'>): void {
    const { from, id, type } = message;
    const stream = this.#streams.get(id);
    if (stream?.reader !== from) {
      // A reader that has missed the end is told again. Who has left needs no word.
      if (type === 'grant')
        void this.#line.send({ to: from, id }, { type: 'end', number: 0, code: 'lost' }).catch(() => undefined);
    } else if (type === 'grant') stream.grant(message.number);
    else stream.end();
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.end();
  }
}
