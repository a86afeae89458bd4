import { BusAway } from '../../../core/ports/bus-away.ts';
import type { SharedCount } from '../../../core/ports/replica-bus.ts';
import type { Carrier, CarrierListener, HeldName, Sending } from '../carrier.ts';

interface Expiring<Value> {
  readonly value: Value;
  /** Of the exchange's clock. */
  readonly until: number;
}

/** A map whose entries end by themselves. Ended entries are swept out when the map has doubled. */
class ExpiringMap<Value> {
  readonly #now: () => number;
  readonly #entries = new Map<string, Expiring<Value>>();
  #sweepAt = 1_024;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): Expiring<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.until > this.#now() ? entry : undefined;
  }

  set(key: string, value: Value, until: number): void {
    this.#entries.set(key, { value, until });
    if (this.#entries.size < this.#sweepAt) return;
    const now = this.#now();
    for (const [old, entry] of this.#entries) if (entry.until <= now) this.#entries.delete(old);
    this.#sweepAt = Math.max(1_024, 2 * this.#entries.size);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/**
 * Joins replicas inside one process: for a server of one replica, and for tests of what several replicas do. Texts arrive in their order,
 * and never before the sender goes on.
 */
export class InProcessExchange {
  readonly now: () => number;
  readonly replicas = new Map<string, CarrierListener>();
  readonly blobs: ExpiringMap<string>;
  readonly names: ExpiringMap<string>;
  readonly counters: ExpiringMap<{ count: number }>;
  #isUp = true;

  /** `now` gives the milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
    this.blobs = new ExpiringMap(now);
    this.names = new ExpiringMap(now);
    this.counters = new ExpiringMap(now);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** A carrier for one more replica. */
  join(): Carrier {
    return new InProcessCarrier(this);
  }

  /** Makes the exchange unreachable, as when Redis is away. */
  cut(): void {
    this.#change(false);
  }

  /** Makes the exchange reachable again. With `isEmpty` it has forgotten everything, as a Redis that was started again. */
  mend(isEmpty = false): void {
    if (isEmpty) for (const kept of [this.blobs, this.names, this.counters]) kept.clear();
    this.#change(true);
  }

  /** @throws BusAway while the exchange is unreachable. */
  require(): void {
    if (!this.#isUp) throw new BusAway('the exchange was cut');
  }

  #change(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    for (const listener of this.replicas.values()) listener.changed(isUp);
  }
}

const channelOfAll = 'all';

/** The carrier of one replica of an exchange. */
class InProcessCarrier implements Carrier {
  readonly channelOfAll = channelOfAll;
  readonly #exchange: InProcessExchange;
  #replica = '';

  constructor(exchange: InProcessExchange) {
    this.#exchange = exchange;
  }

  get isUp(): boolean {
    return this.#exchange.isUp && this.#exchange.replicas.has(this.#replica);
  }

  channelOf(replica: string): string {
    return `replica ${replica}`;
  }

  now(): number {
    return this.#exchange.now();
  }

  open(replica: string, listener: CarrierListener): Promise<void> {
    this.#replica = replica;
    this.#exchange.replicas.set(replica, listener);
    return Promise.resolve();
  }

  async send(channel: string, text: string): Promise<void> {
    await this.#reached();
    for (const [replica, listener] of this.#exchange.replicas) {
      if (channel === channelOfAll || channel === this.channelOf(replica))
        setImmediate(() => this.#deliver(replica, { listener, channel, text }));
    }
  }

  async sendToLiving(replica: string, text: string, until: number): Promise<Sending> {
    if (!(await this.isAlive(replica))) return 'gone';
    if (this.now() > until) return 'late';
    await this.send(this.channelOf(replica), text);
    return 'sent';
  }

  async isAlive(replica: string): Promise<boolean> {
    await this.#reached();
    return this.#exchange.replicas.has(replica);
  }

  async put(key: string, text: string, ttlMs: number): Promise<void> {
    await this.#reached();
    this.#exchange.blobs.set(key, text, this.now() + ttlMs);
  }

  async get(key: string): Promise<string | undefined> {
    await this.#reached();
    return this.#exchange.blobs.get(key)?.value;
  }

  async own(name: string, ttlMs: number): Promise<boolean> {
    await this.#reached();
    return this.#owned({ name, ttlMs });
  }

  async keep(names: readonly HeldName[]): Promise<readonly string[]> {
    await this.#reached();
    return names.filter((held) => !this.#owned(held)).map(({ name }) => name);
  }

  async ownerOf(name: string): Promise<string | undefined> {
    await this.#reached();
    return this.#exchange.names.get(name)?.value;
  }

  async disown(names: readonly string[]): Promise<void> {
    await this.#reached();
    for (const name of names)
      if (this.#exchange.names.get(name)?.value === this.#replica) this.#exchange.names.delete(name);
  }

  async count(key: string, windowMs: number, max: number): Promise<SharedCount> {
    await this.#reached();
    const now = this.now();
    const { counters } = this.#exchange;
    if (counters.get(key) === undefined) counters.set(key, { count: 0 }, now + windowMs);
    const window = counters.get(key);
    const isWithin = window !== undefined && window.value.count < max;
    if (isWithin) window.value.count += 1;
    return { isWithin, leftMs: Math.max(1, Math.round((window?.until ?? now) - now)) };
  }

  close(): Promise<void> {
    this.#exchange.replicas.delete(this.#replica);
    return Promise.resolve();
  }

  #owned({ name, ttlMs }: HeldName): boolean {
    const { names } = this.#exchange;
    const owner = names.get(name)?.value ?? this.#replica;
    if (owner !== this.#replica) return false;
    names.set(name, owner, this.now() + ttlMs);
    return true;
  }

  #deliver(replica: string, sent: { listener: CarrierListener; channel: string; text: string }): void {
    const { isUp, replicas } = this.#exchange;
    if (isUp && replicas.get(replica) === sent.listener) sent.listener.received(sent.channel, sent.text);
  }

  /** Nothing happens before the caller goes on, as with a carrier outside the process. */
  async #reached(): Promise<void> {
    await Promise.resolve();
    this.#exchange.require();
  }
}
