import { jsonText } from '../../../core/base/json-text.ts';
import { randomId } from '../../../core/base/random-id.ts';
import { HelperError } from '../../../core/errors/helper-error.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { blobMs, type BusTimes, mostInlineBytes } from '../bus-limits.ts';
import type { Carrier, Sending } from '../carrier.ts';
import type { BusContent, Carried, StoredBody } from './bus-message.ts';
import type { MessageSeal } from './message-seal.ts';

/** A body as a part of a message's JSON text. */
export type PackedBody = string & { readonly __packed?: never };

/** Where a message goes, and what it belongs to. */
interface Address {
  /** Null: to all. */
  readonly to: string | null;
  readonly id: string;
}

/** The content of a message without its body. */
type Head<Content extends BusContent = BusContent> = Content extends Carried
  ? Omit<Content, 'body' | 'stored'>
  : Content;

interface LineOptions {
  readonly replica: string;
  readonly carrier: Carrier;
  readonly seal: MessageSeal;
  readonly clock: Clock;
  readonly times: BusTimes;
}

/** Writes the messages of this replica, and gets the bodies of others' messages. All of both is sealed before the carrier gets it. */
export class BusLine {
  readonly replica: string;
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly times: BusTimes;
  readonly #seal: MessageSeal;

  constructor({ replica, carrier, seal, clock, times }: LineOptions) {
    this.replica = replica;
    this.carrier = carrier;
    this.clock = clock;
    this.times = times;
    this.#seal = seal;
  }

  /**
   * Makes a body ready to travel. A large body is stored first.
   * @throws HelperError `payload_too_large` when it has more than `most` bytes; BusAway when it cannot be stored.
   */
  async pack(body: unknown, most: number): Promise<PackedBody> {
    return this.packText(jsonText(body), most);
  }

  /** The same for a body that is JSON text already. */
  async packText(text: string, most: number): Promise<PackedBody> {
    const bytes = Buffer.byteLength(text);
    if (bytes <= mostInlineBytes) return `"body":${text}`;
    if (bytes > most) throw new HelperError('payload_too_large', 'This is more than one replica may send to another.');
    const stored: StoredBody = { key: randomId() };
    await this.carrier.put(stored.key, this.#seal.seal(placeOf(stored), text), blobMs);
    return `"stored":${JSON.stringify(stored)}`;
  }

  /** Sends a message to a replica or to all. */
  async send(address: Address, head: Head, body?: PackedBody): Promise<void> {
    const { carrier } = this;
    const channel = address.to === null ? carrier.channelOfAll : carrier.channelOf(address.to);
    await carrier.send(channel, this.#sealed(channel, { ...address, head }, body));
  }

  /** Sends a message to a replica that lives, before `until` only. */
  async sendToLiving(
    to: string,
    { id, head }: { id: string; head: Head<BusContent & { until: number }> },
    body: PackedBody,
  ): Promise<Sending> {
    const channel = this.carrier.channelOf(to);
    return this.carrier.sendToLiving(to, this.#sealed(channel, { to, id, head }, body), head.until);
  }

  /**
   * The body of a message.
   * @throws BusAway when it is not stored any more, or is not the body that was stored under this key.
   */
  async bodyOf(message: Carried): Promise<unknown> {
    if (!('stored' in message)) return message.body;
    const sealed = await this.carrier.get(message.stored.key);
    const text = sealed === undefined ? undefined : this.#seal.open(placeOf(message.stored), sealed);
    if (text === undefined) throw new BusAway('a large body is not there any more');
    return JSON.parse(text);
  }

  #sealed(channel: string, { to, id, head }: Address & { readonly head: Head }, body?: PackedBody): string {
    const message = JSON.stringify({ from: this.replica, to, id, at: this.clock.now(), ...head });
    return this.#seal.seal(channel, body === undefined ? message : `${message.slice(0, -1)},${body}}`);
  }
}

/** Keys are random and used once, so one opens the body of one message. No channel has a line end in its name. */
function placeOf({ key }: StoredBody): string {
  return `stored\n${key}`;
}
