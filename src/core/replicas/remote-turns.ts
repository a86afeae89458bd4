import { setTimeout as delay } from 'node:timers/promises';
import { AnswerFailed } from '../ports/answer-failed.ts';
import { BusAway } from '../ports/bus-away.ts';
import { clusterUnavailable } from '../ports/over-bus.ts';
import type { ReplicaBus } from '../ports/replica-bus.ts';
import { ReplicaGone } from '../ports/replica-gone.ts';
import type { RecordedEvent } from '../events/turn-event.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { HandedOut, RemoteReader, TurnReach } from '../turn/live/remote-turn.ts';
import type { StopReason, TurnResult } from '../turn/live/turn.ts';
import { eventsOfTurn, isTakenOver, takenOverMessage } from './events-of-turn.ts';
import type { PagesOfReaders } from './pages-of-readers.ts';
import { list, object, readEvents, text, turnKinds, valueOf } from './turn-messages.ts';
import { type TurnPlace, type TurnPlaces, type TurnsHere } from './turn-places.ts';

/** Milliseconds before a turn is looked for again whose replica has told nothing. */
const againAfterMs = 250;

/** How far a turn is read, and by whom. */
interface Reading {
  readonly turnId: string;
  readonly seq: number;
  readonly reader: RemoteReader;
  /** The reader had the turn before, and was cut off from it. */
  readonly isAgain: boolean;
}

/** Another reader has taken the turn over. */
const takenOver = new Error('another reader has taken the turn over');

/** What turns are found and read with. */
export interface RemoteTurnsParts {
  readonly places: TurnPlaces;
  readonly pages: PagesOfReaders;
}

/** Reads and stops turns wherever they run (contract/replicas.md#turns). */
export class RemoteTurns implements TurnReach {
  readonly #bus: ReplicaBus;
  readonly #here: TurnsHere;
  readonly #places: TurnPlaces;
  readonly #pages: PagesOfReaders;

  constructor(bus: ReplicaBus, here: TurnsHere, { places, pages }: RemoteTurnsParts) {
    this.#bus = bus;
    this.#here = here;
    this.#places = places;
    this.#pages = pages;
  }

  async *events(
    turnId: string,
    afterSeq: number,
    reader: RemoteReader,
  ): AsyncGenerator<readonly RecordedEvent[], void> {
    const release = this.#pages.add(turnId, reader.page);
    try {
      yield* this.#eventsOf(turnId, afterSeq, reader);
    } finally {
      release();
    }
  }

  async *#eventsOf(
    turnId: string,
    afterSeq: number,
    reader: RemoteReader,
  ): AsyncGenerator<readonly RecordedEvent[], void> {
    let seq = afterSeq;
    let hasRead = false;
    while (!reader.signal.aborted) {
      const place = await this.#places.find(turnId, { signal: reader.signal, isKnown: true });
      if (place === undefined) throw clusterUnavailable();
      let hasNews = false;
      const isAgain = hasRead;
      hasRead = true;
      try {
        for await (const batch of this.#read(place, { turnId, seq, reader, isAgain })) {
          hasNews = true;
          yield batch;
          for (const event of batch) seq = Math.max(seq, event.seq);
          if (batch.some(({ type }) => type === 'turn-completed')) return;
        }
        if (place.kind === 'here' && isTakenOver(place.turn)) throw takenOver;
      } catch (error) {
        // A reader that was cut off for a while does not take the turn back from the one that its user has by now.
        if (error === takenOver && isAgain) throw clusterUnavailable();
        if (error === takenOver) return;
        if (!isOfReplica(error)) throw error;
      }
      if (!hasNews && !isRunning(place)) return;
      if (!hasNews) await delay(againAfterMs);
    }
  }

  #read(place: TurnPlace, { turnId, seq, reader, isAgain }: Reading): AsyncIterable<readonly RecordedEvent[]> {
    if (place.kind === 'here') return eventsOfTurn(place.turn, seq, { ...reader, isAgain });
    const offered = reader.page?.offered;
    const body = { turnId, afterSeq: seq, isAgain, ...(offered && { offered }) };
    return this.#followed(place.replica, { kind: turnKinds.events, body }, reader.signal);
  }

  async *#followed(
    replica: string,
    call: { readonly kind: string; readonly body: unknown },
    signal: AbortSignal,
  ): AsyncGenerator<readonly RecordedEvent[], void> {
    for await (const batch of await this.#bus.follow({ replica, ...call }, signal)) {
      if (batch === takenOverMessage) throw takenOver;
      yield readEvents(batch);
    }
  }

  async result(turnId: string): Promise<TurnResult> {
    const lost: TurnResult = { turnId, status: 'failed', text: '', code: 'interrupted' };
    try {
      const search = { isKnown: true };
      for (;;) {
        const place = await this.#places.find(turnId, search);
        if (place === undefined) return lost;
        const result = await this.#resultAt(place, turnId);
        if (result !== undefined) return result;
        await delay(againAfterMs);
      }
    } catch {
      return lost;
    }
  }

  /** Undefined when the turn has left that place. */
  async #resultAt(place: TurnPlace, turnId: string): Promise<TurnResult | undefined> {
    if (place.kind === 'here') {
      const result = await place.turn.result;
      return place.turn.suspended ? undefined : result;
    }
    try {
      const call = { replica: place.replica, kind: turnKinds.result, body: { turnId } };
      for await (const result of await this.#bus.follow(call)) {
        return object(result) as unknown as TurnResult; // by a replica of this server
      }
    } catch (error) {
      if (!isOfReplica(error)) throw error;
    }
    return undefined;
  }

  async stop(turnId: string, reason: StopReason): Promise<boolean> {
    const place = await this.#places.find(turnId, { isUrgent: true });
    if (place === undefined) return false;
    if (place.kind === 'here') return place.turn.stop(reason);
    return (await this.#asked(place.replica, turnKinds.stop, { turnId, reason })) === true;
  }

  async handOut(turnId: string): Promise<HandedOut | undefined> {
    const here = (): HandedOut | undefined => this.#here.handOut(turnId);
    return this.#conversation({ turnId, kind: turnKinds.handOut, here }, (given) => {
      const { messages, waiting } = object(given);
      // By a replica of this server.
      return { messages: list(messages), waiting: list(waiting).filter(isMessage) } as HandedOut;
    });
  }

  async transcript(turnId: string): Promise<readonly KeptMessage[] | undefined> {
    const here = (): readonly KeptMessage[] | undefined => this.#here.transcriptOf(turnId);
    const asked = { turnId, kind: turnKinds.transcript, here };
    return this.#conversation(asked, (given) => list(given) as readonly KeptMessage[]); // likewise
  }

  async #conversation<Value>(
    { turnId, kind, here }: { readonly turnId: string; readonly kind: string; readonly here: () => Value | undefined },
    read: (given: unknown) => Value,
  ): Promise<Value | undefined> {
    try {
      const place = await this.#places.find(turnId, { isKnown: true });
      if (place === undefined) return undefined;
      if (place.kind === 'here') return here();
      const given = await this.#asked(place.replica, kind, { turnId });
      return given === null ? undefined : read(given);
    } catch {
      return undefined;
    }
  }

  async #asked(replica: string, kind: string, body: unknown): Promise<unknown> {
    try {
      return valueOf(await this.#bus.ask({ replica, kind, body }));
    } catch (error) {
      throw isOfReplica(error) ? clusterUnavailable() : error;
    }
  }
}

/** Whether it is a message that waits for its turn. */
function isMessage(waiting: unknown): boolean {
  return typeof object(object(waiting)['message'])['text'] === 'string';
}

/** Whether the other replica is at fault, so that the turn may be elsewhere by now. */
function isOfReplica(error: unknown): boolean {
  return error instanceof BusAway || error instanceof ReplicaGone || (error instanceof AnswerFailed && !isKnown(error));
}

/** What a source of another replica has said itself. */
function isKnown({ code }: AnswerFailed): boolean {
  return text(code) === 'not_found';
}

function isRunning(place: TurnPlace): boolean {
  return place.kind === 'here' ? place.turn.running : place.found.running;
}
