import { atMost } from '../../../core/base/at-most.ts';
import { randomId } from '../../../core/base/random-id.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { CarrierListener } from '../carrier.ts';
import { type RedisClient, renewConnection } from './redis-address.ts';
import { pulseScript } from './redis-scripts.ts';

/** Milliseconds for which a replica counts as living, and between two signs of life. */
const nodeMs = 15_000;
const beatMs = 5_000;
/** Milliseconds between two attempts while Redis is away. */
const againMs = 250;
/** The same when somebody has asked for an attempt during another one. */
const soonMs = 10;
/** Milliseconds for a sign of life to come back over the subscription. */
const echoMs = 1_000;
/** Milliseconds after a loss in which a missing replica may still live: by then each has shown itself again. */
const youngMs = 2 * beatMs;
/** Attempts without an answer before the connections are made anew: the network may have swallowed the old ones. */
const mostSilences = 2;
/** Milliseconds that a start waits for Redis. */
const startMs = 2_000;

const echoPrefix = 'echo ';

interface RedisPulseOptions {
  readonly commands: RedisClient;
  readonly subscriber: RedisClient;
  readonly channels: readonly [string, ...(readonly string[])];
  readonly keys: { readonly node: string; readonly young: string };
  readonly log: Logger;
  readonly listener: CarrierListener;
}

/**
 * Keeps both connections to Redis, shows that this replica lives, and knows whether messages really arrive: each sign of life is also a text
 * to this replica itself. It learns the clock of Redis on the way.
 */
export class RedisPulse {
  readonly #options: RedisPulseOptions;
  #isUp = false;
  #isClosed = false;
  #isAskedAgain = false;
  #isSubscribed = false;
  #wasShown = false;
  #isLogged = false;
  #failures = 0;
  #silences = 0;
  /** The clock of Redis minus that of this process, in milliseconds. */
  #offset = 0;
  #beating: Promise<void> | undefined;
  #next: NodeJS.Timeout | undefined;
  #echo: { readonly text: string; readonly came: () => void } | undefined;
  #fault = 'no connection';

  constructor(options: RedisPulseOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The clock of Redis, in epoch milliseconds. */
  now(): number {
    return performance.now() + this.#offset;
  }

  /** Connects. Resolves once Redis has answered, and after a short time in any case. */
  async start(): Promise<void> {
    const { commands, subscriber } = this.#options;
    const { promise: firstUp, resolve } = Promise.withResolvers<undefined>();
    this.#firstUp = () => {
      resolve(undefined);
    };
    for (const client of [commands, subscriber]) this.#listen(client);
    subscriber.on('close', () => {
      this.#isSubscribed = false;
    });
    subscriber.on('message', (channel: string, text: string) => {
      this.#received(channel, text);
    });
    subscriber.on('ready', () => void this.#subscribe());
    commands.on('ready', () => {
      this.look();
    });
    for (const client of [commands, subscriber]) client.connect().catch(() => undefined); // each attempt tells its error, too
    await atMost(startMs, firstUp);
  }

  /** Looks at once whether Redis is there. While it is looked already, it is looked once more afterwards. */
  look(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#next);
    if (this.#beating !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAskedAgain = false;
    this.#beating = this.#beat().finally(() => {
      this.#beating = undefined;
      this.#lookLater();
    });
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    const pauseMs = this.#isUp ? beatMs : againMs;
    const look = (): void => {
      this.look();
    };
    this.#next = setTimeout(look, this.#isAskedAgain ? soonMs : pauseMs);
  }

  /** Tells the others that this replica is gone. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#next);
    await this.#beating;
    await this.#options.commands.del(this.#options.keys.node).catch(() => undefined);
    this.#isUp = false;
  }

  #firstUp: () => void = () => undefined;

  #listen(client: RedisClient): void {
    client.on('error', (error: unknown) => {
      this.#fault = describeError(error);
    });
    client.on('close', () => {
      this.#change(false);
      this.look();
    });
  }

  async #subscribe(): Promise<void> {
    const { subscriber, channels } = this.#options;
    try {
      await subscriber.subscribe(...channels);
      this.#isSubscribed = true;
      this.look();
    } catch (error) {
      this.#fault = describeError(error);
      if (!this.#isClosed) renewConnection(subscriber);
    }
  }

  #received(channel: string, text: string): void {
    if (!text.startsWith(echoPrefix)) this.#options.listener.received(channel, text);
    else if (text === this.#echo?.text) this.#echo.came();
  }

  async #beat(): Promise<void> {
    const echo = Promise.withResolvers<undefined>();
    const seen = { isEchoed: false };
    const came = (): void => {
      seen.isEchoed = true;
      echo.resolve(undefined);
    };
    this.#echo = { text: `${echoPrefix}${randomId()}`, came };
    const isConnected = this.#options.commands.status === 'ready';
    const isSubscribed = this.#isSubscribed;
    try {
      const isForgotten = await this.#show(this.#echo.text);
      if (isForgotten) this.#options.listener.forgotten();
    } catch (error) {
      // Without a connection, the reason for that says more than what becomes of a command.
      this.#failed(isConnected ? describeError(error) : this.#fault, isConnected);
      return;
    }
    if (isSubscribed) await atMost(echoMs, echo.promise);
    if (seen.isEchoed) this.#succeeded();
    else this.#failed(isSubscribed ? 'messages do not arrive' : this.#fault, isSubscribed);
  }

  /** Writes the sign of life. Says whether Redis had lost the one before. */
  async #show(echo: string): Promise<boolean> {
    const { commands, channels, keys } = this.#options;
    const values = [nodeMs, youngMs, this.#wasShown ? 1 : 0, channels[0], echo];
    const sentAt = performance.now();
    const shown = await commands.eval(pulseScript, 2, keys.node, keys.young, ...values);
    const [seconds, microseconds, isForgotten] = (shown as readonly unknown[]).map(Number); // the script gives three values
    const middle = (sentAt + performance.now()) / 2;
    this.#offset = (seconds ?? 0) * 1_000 + (microseconds ?? 0) / 1_000 - middle;
    this.#wasShown = true;
    return isForgotten === 1;
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#silences = 0;
    if (this.#isClosed) return;
    this.#change(true);
    this.#firstUp();
  }

  /** `isSilent`: the connection seemed to be open, and nothing came. */
  #failed(fault: string, isSilent: boolean): void {
    this.#failures += 1;
    this.#silences = isSilent ? this.#silences + 1 : 0;
    if (this.#isClosed) return;
    this.#fault = fault;
    this.#change(false);
    if (!this.#isLogged && this.#failures >= 2) this.#warn();
    if (this.#silences < mostSilences) return;
    this.#silences = 0;
    const { commands, subscriber } = this.#options;
    for (const client of [commands, subscriber]) renewConnection(client);
  }

  #warn(): void {
    this.#isLogged = true;
    this.#options.log.warn({ fault: this.#fault }, 'Redis is away: this replica cannot reach others');
  }

  #change(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    if (isUp && this.#isLogged) this.#options.log.info({}, 'Redis is there again');
    if (isUp) this.#isLogged = false;
    this.#options.listener.changed(isUp);
  }
}
