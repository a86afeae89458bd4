import { randomId } from '../../core/base/random-id.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { BusAnswer, BusCall, BusNews, BusSource, ReplicaBus, SharedCount } from '../../core/ports/replica-bus.ts';
import { type BusTimes, busTimes, clockMs, mostBodyBytes, mostMessageLength } from './bus-limits.ts';
import { Answers } from './calls/answers.ts';
import { Asks } from './calls/asks.ts';
import type { Carrier } from './carrier.ts';
import { BusLine } from './messages/bus-line.ts';
import { type BusMessage, readMessage } from './messages/bus-message.ts';
import { DroppedMessages, type DropReason } from './messages/dropped-messages.ts';
import { type BusKeys, MessageSeal } from './messages/message-seal.ts';
import { HeldNames } from './names/held-names.ts';
import { News } from './news.ts';
import { FollowedStreams } from './streams/followed-streams.ts';
import { OfferedStreams } from './streams/offered-streams.ts';

/** What a bus is made of besides its carrier. */
export interface BusOptions {
  readonly replica: string;
  /** The keys of `dataProtection`. The first one seals, and all of them open. */
  readonly keys: BusKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times?: BusTimes;
}

/**
 * The bus between replicas over anything that carries texts. It trusts the carrier with nothing: a message counts only when it was sealed
 * by another replica of this server, for this replica, just now, and for the first time.
 */
export class CarriedBus implements ReplicaBus {
  readonly replica: string;
  readonly #carrier: Carrier;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #seal: MessageSeal;
  readonly #line: BusLine;
  readonly #dropped: DroppedMessages;
  readonly #asks: Asks;
  readonly #answers: Answers;
  readonly #followed: FollowedStreams;
  readonly #offered: OfferedStreams;
  readonly #news: News;
  readonly #names: HeldNames;
  readonly #listeners = new Set<(isUp: boolean) => void>();

  private constructor(carrier: Carrier, { replica, keys, clock, log, times = busTimes }: BusOptions) {
    this.replica = replica;
    this.#carrier = carrier;
    this.#clock = clock;
    this.#log = log;
    this.#seal = new MessageSeal(keys);
    this.#line = new BusLine({ replica, carrier, seal: this.#seal, clock, times });
    this.#dropped = new DroppedMessages(log, () => clock.elapsed());
    this.#asks = new Asks(this.#line, this.#dropped);
    this.#answers = new Answers(this.#line, log, this.#dropped);
    this.#followed = new FollowedStreams(this.#line, this.#asks, this.#dropped);
    this.#offered = new OfferedStreams(this.#line, log);
    this.#news = new News(this.#line, log, this.#dropped);
    this.#names = new HeldNames(carrier, log, times.keepMs);
  }

  /** Opens a bus over a carrier, which belongs to the bus from then on. The bus may be away at first. */
  static async open(carrier: Carrier, options: BusOptions): Promise<CarriedBus> {
    const bus = new CarriedBus(carrier, options);
    await carrier.open(bus.replica, {
      received: (channel, text) => {
        bus.#received(channel, text);
      },
      changed: (isUp) => {
        bus.#changed(isUp);
      },
      forgotten: () => void bus.#names.keep(),
    });
    return bus;
  }

  get isUp(): boolean {
    return this.#carrier.isUp;
  }

  /** How many messages were not accepted, by the reason. */
  get dropped(): ReadonlyMap<DropReason, number> {
    return this.#dropped.counts;
  }

  /** Uses other keys from now on. A new first key MUST be known to all replicas before one of them seals with it. */
  useKeys(keys: BusKeys): void {
    this.#seal.useKeys(keys);
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  ask(call: BusCall, signal?: AbortSignal): Promise<unknown> {
    return this.#asks.ask({ type: 'ask', id: randomId(), call, signal });
  }

  answer(kind: string, handler: BusAnswer): void {
    this.#answers.register('ask', kind, (body, { from }) => handler(body, from));
  }

  follow(call: BusCall, signal?: AbortSignal): Promise<AsyncIterable<unknown>> {
    return this.#followed.follow(call, signal);
  }

  offer(kind: string, source: BusSource): void {
    this.#answers.register('open', kind, (body, { from, id }) => {
      this.#offered.open({ source, kind }, body, { to: from, id });
      return Promise.resolve(null);
    });
  }

  async tell(kind: string, body: unknown): Promise<void> {
    const packed = await this.#line.pack(body, mostBodyBytes);
    await this.#line.send({ to: null, id: randomId() }, { type: 'news', kind }, packed);
  }

  onTold(kind: string, listener: BusNews): void {
    this.#news.register(kind, listener);
  }

  own(name: string, ttlMs: number): Promise<boolean> {
    return this.#names.own(name, ttlMs);
  }

  ownerOf(name: string): Promise<string | undefined> {
    return this.#carrier.ownerOf(name);
  }

  disown(name: string): Promise<void> {
    return this.#names.disown(name);
  }

  secretName(text: string): string {
    return this.#seal.nameOf(text);
  }

  count(key: string, windowMs: number, max: number): Promise<SharedCount> {
    // The name of a user does not leave the process.
    return this.#carrier.count(this.#seal.nameOf(key), windowMs, max);
  }

  async close(): Promise<void> {
    this.#asks.close();
    this.#followed.close();
    this.#offered.close();
    await this.#names.close();
    await this.#carrier.close();
  }

  #changed(isUp: boolean): void {
    if (isUp) void this.#names.keep();
    for (const listener of this.#listeners) {
      try {
        listener(isUp);
      } catch (error) {
        this.#log.error({ error }, 'a listener of the bus failed');
      }
    }
  }

  #received(channel: string, text: string): void {
    const message = this.#accepted(channel, text);
    if (typeof message === 'string') this.#dropped.drop(message);
    else if (message.to !== null || message.from !== this.replica) this.#route(message);
  }

  /** The message in a text, or why there is none. */
  #accepted(channel: string, text: string): BusMessage | DropReason {
    if (text.length > mostMessageLength) return 'oversized';
    const json = this.#seal.open(channel, text);
    if (json === undefined) return 'forged';
    const message = readMessage(json);
    if (message === undefined) return 'unreadable';
    const addressee = channel === this.#carrier.channelOfAll ? null : this.replica;
    if (message.to !== addressee || (message.to === null) !== (message.type === 'news')) return 'readdressed';
    return Math.abs(this.#clock.now() - message.at) > clockMs ? 'untimely' : message;
  }

  #route(message: BusMessage): void {
    switch (message.type) {
      case 'ask':
      case 'open':
        this.#answers.take(message);
        break;
      case 'answer':
      case 'failure':
        this.#asks.take(message);
        break;
      case 'item':
      case 'beat':
      case 'end':
        this.#followed.take(message);
        break;
      case 'grant':
      case 'leave':
        this.#offered.take(message);
        break;
      case 'news':
        this.#news.take(message);
        break;
    }
  }
}
