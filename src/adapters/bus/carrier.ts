import type { SharedCount } from '../../core/ports/replica-bus.ts';

/** A name that is held, and for how many milliseconds it stays so without being kept. */
export interface HeldName {
  readonly name: string;
  readonly ttlMs: number;
}

/** What a carrier tells the bus. */
export interface CarrierListener {
  /** A text has come on one of this replica's channels. Anybody may have sent it. */
  received(channel: string, text: string): void;
  changed(isUp: boolean): void;
  /** What was stored is lost, and with it the names of all replicas. */
  forgotten(): void;
}

/** What became of a message to a replica. `late`: the time until which it could be sent was over. */
export type Sending = 'sent' | 'gone' | 'late';

/**
 * Carries texts between replicas, and keeps small things for all of them. It does not know what the texts say. Each method rejects with
 * `BusAway` when it cannot do its work.
 */
export interface Carrier {
  readonly isUp: boolean;
  /** The channel of one replica. A text that was sealed for one channel opens on no other one. */
  channelOf(replica: string): string;
  /** The channel that all replicas hear. */
  readonly channelOfAll: string;
  /** Milliseconds of a clock that all replicas share. It is meant for short deadlines only. */
  now(): number;
  /** Begins to listen, and to show that this replica lives. Resolves once it was tried. */
  open(replica: string, listener: CarrierListener): Promise<void>;
  send(channel: string, text: string): Promise<void>;
  /** Sends a text to a replica that lives, and before `until` only (`now`). Both are decided where the text is sent on. */
  sendToLiving(replica: string, text: string, until: number): Promise<Sending>;
  isAlive(replica: string): Promise<boolean>;
  /** Stores a text for `ttlMs` milliseconds. */
  put(key: string, text: string, ttlMs: number): Promise<void>;
  get(key: string): Promise<string | undefined>;
  own(name: string, ttlMs: number): Promise<boolean>;
  /** Keeps these names, also those that were lost meanwhile. Returns the names that another replica owns by now. */
  keep(names: readonly HeldName[]): Promise<readonly string[]>;
  ownerOf(name: string): Promise<string | undefined>;
  disown(names: readonly string[]): Promise<void>;
  count(key: string, windowMs: number, max: number): Promise<SharedCount>;
  close(): Promise<void>;
}
