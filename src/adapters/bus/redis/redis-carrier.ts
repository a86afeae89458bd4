import { BusAway } from '../../../core/ports/bus-away.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { SharedCount } from '../../../core/ports/replica-bus.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { Carrier, CarrierListener, HeldName, Sending } from '../carrier.ts';
import { RedisPulse } from './redis-pulse.ts';
import { type RedisAddress, type RedisClient, redisClient } from './redis-address.ts';
import { countScript, disownScript, ownScript, sendScript } from './redis-scripts.ts';

/** Where a carrier finds Redis, and what its keys and channels begin with. */
export interface RedisCarrierOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly log: Logger;
}

/**
 * Carries texts over Redis: commands on one connection, and what comes from others on another one. All keys have one hash tag, so that they
 * are in one slot of a Redis Cluster.
 */
export class RedisCarrier implements Carrier {
  readonly channelOfAll: string;
  readonly #log: Logger;
  readonly #prefix: string;
  readonly #commands: RedisClient;
  readonly #subscriber: RedisClient;
  #replica = '';
  #pulse: RedisPulse | undefined;

  constructor({ address, prefix, log }: RedisCarrierOptions) {
    this.#log = log;
    this.#prefix = `${prefix}:{v1}:`;
    this.channelOfAll = `${this.#prefix}bcast`;
    this.#commands = redisClient(address);
    this.#subscriber = redisClient(address);
  }

  get isUp(): boolean {
    return this.#pulse?.isUp ?? false;
  }

  channelOf(replica: string): string {
    return `${this.#prefix}rpc:${replica}`;
  }

  now(): number {
    return this.#pulse?.now() ?? 0;
  }

  async open(replica: string, listener: CarrierListener): Promise<void> {
    this.#replica = replica;
    this.#pulse = new RedisPulse({
      commands: this.#commands,
      subscriber: this.#subscriber,
      channels: [this.channelOf(replica), this.channelOfAll],
      keys: { node: this.#node(replica), young: this.#young },
      log: this.#log,
      listener,
    });
    await this.#pulse.start();
  }

  async send(channel: string, text: string): Promise<void> {
    await this.#done(this.#commands.publish(channel, text));
  }

  async sendToLiving(replica: string, text: string, until: number): Promise<Sending> {
    const keys = [this.#node(replica), this.#node(this.#replica), this.#young];
    const sending = await this.#run(sendScript, keys, [this.channelOf(replica), text, until]);
    return sending as Sending; // the script gives one of these
  }

  async isAlive(replica: string): Promise<boolean> {
    return (await this.#done(this.#commands.exists(this.#node(replica)))) === 1;
  }

  async put(key: string, text: string, ttlMs: number): Promise<void> {
    await this.#done(this.#commands.set(`${this.#prefix}blob:${key}`, text, 'PX', ttlMs));
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#done(this.#commands.get(`${this.#prefix}blob:${key}`))) ?? undefined;
  }

  async own(name: string, ttlMs: number): Promise<boolean> {
    return (await this.keep([{ name, ttlMs }])).length === 0;
  }

  async keep(names: readonly HeldName[]): Promise<readonly string[]> {
    const keys = names.map(({ name }) => this.#own(name));
    const owned = await this.#run(ownScript, keys, [this.#replica, ...names.map(({ ttlMs }) => ttlMs)]);
    return names.map(({ name }) => name).filter((_name, index) => (owned as readonly number[])[index] !== 1); // the script gives a number for each
  }

  async ownerOf(name: string): Promise<string | undefined> {
    return (await this.#done(this.#commands.get(this.#own(name)))) ?? undefined;
  }

  async disown(names: readonly string[]): Promise<void> {
    await this.#run(
      disownScript,
      names.map((name) => this.#own(name)),
      [this.#replica],
    );
  }

  async count(key: string, windowMs: number, max: number): Promise<SharedCount> {
    const counted = await this.#run(countScript, [`${this.#prefix}rl:${key}`], [windowMs, max]);
    const [isWithin, leftMs] = counted as readonly [number, number]; // the script gives these two
    return { isWithin: isWithin === 1, leftMs };
  }

  async close(): Promise<void> {
    await this.#pulse?.stop();
    for (const client of [this.#commands, this.#subscriber]) client.disconnect();
  }

  get #young(): string {
    return `${this.#prefix}young`;
  }

  #node(replica: string): string {
    return `${this.#prefix}node:${replica}`;
  }

  #own(name: string): string {
    return `${this.#prefix}own:${name}`;
  }

  #run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.#done(this.#commands.eval(script, keys.length, ...keys, ...values));
  }

  /** The result of a command. A command that fails makes the pulse look at once. */
  async #done<Value>(command: Promise<Value>): Promise<Value> {
    try {
      return await command;
    } catch (error) {
      if (this.isUp) this.#pulse?.look();
      // The error of the client holds the command with all its values, which must not get into a log.
      throw new BusAway(`Redis: ${describeError(error)}`);
    }
  }
}
