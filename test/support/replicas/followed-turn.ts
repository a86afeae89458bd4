import { setTimeout as delay } from 'node:timers/promises';
import { openSse, type SseConversation } from '../sse-client.ts';

/** The most milliseconds between two attempts to read on: those of the widget where a reply is awaited. */
const againMs = 250;
/** Milliseconds for which a turn may be out of reach. */
const limitMs = 60_000;

type Data = Readonly<Record<string, unknown>>;

/** A turn that is read on over whichever replica, as often as its stream breaks. */
export interface FollowedTurn {
  readonly turnId: string;
  /**
   * For each time that the stream broke: milliseconds until it was open again. It is opened once a replica has the turn, and then tells what the
   * model writes when it writes it.
   */
  readonly gapsMs: readonly number[];
  /** The first frame with this event that has not been given yet. */
  next(event: string): Promise<Data>;
  /** Resolves with the end of the turn. Rejects when the turn is out of reach for too long. */
  readonly end: Promise<Data>;
}

/** Begins a turn with this message, and reads it to its end. */
export async function followTurn(url: string, message: string): Promise<FollowedTurn> {
  const first = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message } });
  if (first.status !== 200) throw new Error(`${String(first.status)} ${first.raw()}`);
  const turnId = String(first.headers['x-turn-id']);
  const gapsMs: number[] = [];
  const frames = new Map<string, PromiseWithResolvers<Data>[]>();
  const given = new Map<string, number>();
  const at = (event: string, index: number): PromiseWithResolvers<Data> => {
    const list = frames.get(event) ?? [];
    frames.set(event, list);
    while (list.length <= index) list.push(Promise.withResolvers<Data>());
    return list[index] ?? Promise.withResolvers<Data>();
  };
  const told = new Map<string, number>();
  let seq = 0;
  const take = (event: string, data: Data): void => {
    if (Number(data['seq']) <= seq) return;
    seq = Number(data['seq']);
    const index = told.get(event) ?? 0;
    told.set(event, index + 1);
    at(event, index).resolve(data);
  };

  /** Reads a stream to its end. */
  async function read(stream: SseConversation): Promise<boolean> {
    let read = 0;
    const look = (): void => {
      for (const { event, data } of stream.frames.slice(read)) {
        if (event === undefined || data === undefined) continue;
        take(event, data);
      }
      read = stream.frames.length;
    };
    stream.response.on('data', look);
    look();
    await stream.closed;
    look();
    return told.has('end');
  }

  async function follow(): Promise<Data> {
    let isOver = await read(first);
    while (!isOver) {
      const brokeAt = performance.now();
      for (;;) {
        const stream = await openSse(`${url}/helper/chat`, {
          headers: { 'last-event-id': `${turnId}:${String(seq)}` },
        }).catch(() => undefined);
        if (stream?.status === 200) {
          gapsMs.push(Math.round(performance.now() - brokeAt));
          isOver = await read(stream);
          break;
        }
        stream?.close();
        if (performance.now() - brokeAt > limitMs)
          throw new Error(`turn ${turnId} is out of reach: ${String(stream?.status)} ${stream?.raw() ?? ''}`);
        await delay(Math.random() * againMs);
      }
    }
    return at('end', 0).promise;
  }

  const end = follow();
  end.catch(() => undefined);
  return {
    turnId,
    gapsMs,
    next: (event) => {
      const index = given.get(event) ?? 0;
      given.set(event, index + 1);
      return Promise.race([at(event, index).promise, end]);
    },
    end,
  };
}
