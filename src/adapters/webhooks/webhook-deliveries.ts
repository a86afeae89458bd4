import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../core/ports/clock.ts';
import type { DeliveryStore, PendingDelivery } from '../../core/ports/delivery-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RecordSealer } from '../../core/ports/record-sealer.ts';
import { type DeliveryContent, openDelivery } from '../../core/record/delivery-content.ts';
import type { WebhookSender } from './webhook-sender.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each attempt that failed. After the last one the delivery is given up. */
const waits: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[hour, 2 * hour, 4 * hour, 8 * hour],
];

/** The most attempts at the same time to one host, and in all to the 100 hosts that may be named. No host keeps another one waiting. */
const atOnceOfHost = 2;
const atOnce = 100 * atOnceOfHost;

/** How much longer a wait may be, so that deliveries which failed together do not come back together. */
const jitter = 0.1;

/** Milliseconds until the store is asked again after it has failed. */
const afterFaultMs = 10 * second;

/** The longest wait, in milliseconds, that a timer of Node takes. */
const longestMs = 2 ** 31 - 1;

export interface WebhookDeliveriesOptions {
  readonly store: DeliveryStore;
  readonly sealer: Pick<RecordSealer, 'open'>;
  readonly sender: WebhookSender;
  /** Why this server may not tell an address any more. Undefined: it may. */
  readonly fault: (url: string) => string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** What came of an attempt that was not taken. */
interface Untold {
  readonly reason: string;
  /** `ever`: no attempt can succeed. `here`: none of this server can. Left out: a later one may. */
  readonly isFinal?: 'ever' | 'here' | undefined;
}

/**
 * Tells webhooks how turns have ended (contract/sse.md#detached-turns): each at least once, under the id of its turn, also after a restart.
 */
export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #closing = new AbortController();
  /** The attempts by the ids of their turns, and their number by hosts. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #hosts = new Map<string, number>();
  #looking = false;
  #isAskedAgain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
  }

  /** Looks for deliveries that are due. Called at the start, and when one was stored. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isAskedAgain = true;
    if (!this.#looking) void this.#look();
  }

  /** Breaks off what is under way. The next process makes these deliveries again. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay.values());
    await this.#options.sender.close();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    clearTimeout(this.#timer);
    try {
      // Both questions to the store are about the same moment, so that no delivery falls between them.
      let now = 0;
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        now = this.#options.clock.now();
        await this.#begin(now);
      }
      await this.#wakeAfter(now);
    } catch (error) {
      this.#options.log.warn({ error }, 'the deliveries to webhooks cannot be read; the next attempt is in 10 s');
      this.#wakeIn(afterFaultMs);
    } finally {
      this.#looking = false;
    }
    if (this.#isAskedAgain) this.wake();
  }

  /** Begins attempts until there are as many as there may be. */
  async #begin(now: number): Promise<void> {
    const { store } = this.#options;
    while (this.#underWay.size < atOnce && !this.#closing.signal.aborted) {
      const hosts = [...this.#hosts].flatMap(([host, attempts]) => (attempts < atOnceOfHost ? [] : [host]));
      const [delivery] = await store.due(now, 1, { hosts, turns: [...this.#underWay.keys()] });
      if (delivery === undefined) return;
      const isOurs = (await store.shared?.claim(delivery)) ?? true;
      if (isOurs) this.#start(delivery);
    }
  }

  #start(delivery: PendingDelivery): void {
    const { turnId, host } = delivery;
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
    const attempt = this.#attempt(delivery).finally(() => {
      this.#underWay.delete(turnId);
      const left = (this.#hosts.get(host) ?? 1) - 1;
      if (left > 0) this.#hosts.set(host, left);
      else this.#hosts.delete(host);
      this.wake();
    });
    this.#underWay.set(turnId, attempt);
  }

  /** Those that are due already begin when an attempt ends. */
  async #wakeAfter(now: number): Promise<void> {
    const { store, clock } = this.#options;
    const next = await store.next(now);
    if (next !== undefined) this.#wakeIn(next - clock.now());
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(longestMs, Math.max(0, ms))).unref();
  }

  /** Never rejects. A delivery whose outcome cannot be stored is made again. */
  async #attempt(delivery: PendingDelivery): Promise<void> {
    const { store, log } = this.#options;
    const { turnId } = delivery;
    try {
      const outcome = await this.#sent(delivery);
      if (outcome === 'taken') {
        await store.settle(turnId);
        return;
      }
      if (this.#closing.signal.aborted) return;
      await this.#notTaken(delivery, outcome);
    } catch (error) {
      log.warn({ error, turnId }, 'what came of a delivery to a webhook could not be stored: it is made again');
      await delay(afterFaultMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Puts the delivery off until its next attempt, or gives it up. */
  async #notTaken({ turnId, attempts }: PendingDelivery, { reason, isFinal }: Untold): Promise<void> {
    const { store, log, clock } = this.#options;
    // Another replica may have newer settings and keys than this one.
    const isLeft = isFinal === 'here' && store.shared !== undefined;
    const wait = isFinal === undefined || isLeft ? waits[attempts] : undefined;
    const told = { turnId, attempts: attempts + 1, reason };
    if (wait === undefined) {
      log.warn(told, 'a webhook was not told how its turn has ended: given up');
      await store.settle(turnId);
      return;
    }
    const text = isLeft
      ? 'this replica may not tell a webhook how its turn has ended: left to the others'
      : 'a webhook did not take how its turn has ended: tried again';
    log.info(told, text);
    await store.postpone(turnId, Math.round(clock.now() + wait * (1 + Math.random() * jitter)));
  }

  async #sent(delivery: PendingDelivery): Promise<'taken' | Untold> {
    const { sealer, sender, fault } = this.#options;
    let message: ReturnType<typeof messageOf>;
    try {
      message = messageOf(delivery, openDelivery(delivery, sealer));
    } catch {
      return { reason: 'it cannot be opened: were the keys of dataProtection changed?', isFinal: 'here' };
    }
    const refusal = fault(message.url);
    if (refusal !== undefined) return { reason: `its address ${refusal}`, isFinal: 'here' };
    const outcome = await sender.send(message, this.#closing.signal);
    return outcome === 'gone' ? { reason: 'it answered 410', isFinal: 'ever' } : outcome;
  }
}

function messageOf({ turnId }: PendingDelivery, { url, endedAt, data }: DeliveryContent) {
  const body = JSON.stringify({ type: 'turn.ended', timestamp: new Date(endedAt).toISOString(), data });
  return { id: turnId, url, body };
}
