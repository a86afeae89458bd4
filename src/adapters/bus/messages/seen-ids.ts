import type { Envelope } from './bus-message.ts';

/** What is known of a message when it is noted. */
export type NotedMessage = Pick<Envelope, 'from' | 'id' | 'at'>;

interface SeenIdsLimits {
  /** Milliseconds for which an id is remembered at least, unless its place is needed. */
  readonly lifeMs: number;
  /** The most ids and senders that are remembered. */
  readonly most: number;
  /** Milliseconds in which a sender may use an id again, by the clock of the sender. */
  readonly againMs: number;
}

/** Ids of a sender that came one after another. They are forgotten together. */
interface Part {
  count: number;
  /** When the first and the last one came, and the latest time that a message with one of them was sent. */
  readonly begunAt: number;
  endedAt: number;
  newest: number;
}

interface Sender {
  /** In the order in which they came. */
  readonly ids: Set<string>;
  /** The oldest one first. */
  readonly parts: Part[];
  /** What was sent until then, by the clock of the sender, counts as seen. */
  forgottenTo: number;
  notedAt: number;
}

/** A full memory of one sender has this many parts at least, and one that is not full about this many in its time. */
const partsOfFull = 64;
const partsOfLife = 8;

/**
 * Remembers which messages have come. Where there is no more room, the sender with the most ids loses its oldest ones, and whatever that
 * sender had sent until then counts as seen. So nothing comes twice, and no number of messages keeps later ones out.
 */
export class SeenIds {
  readonly #limits: SeenIdsLimits;
  readonly #elapsed: () => number;
  readonly #senders = new Map<string, Sender>();
  #count = 0;
  #sweptAt: number;

  constructor(limits: SeenIdsLimits, elapsed: () => number) {
    this.#limits = limits;
    this.#elapsed = elapsed;
    this.#sweptAt = elapsed();
  }

  /** Notes a message. Says when it was seen before, or counts as seen, or when there are too many senders to remember one more. */
  note({ from, id, at }: NotedMessage): 'new' | 'seen' | 'full' {
    this.#sweep();
    const known = this.#senders.get(from);
    if (known !== undefined && isSeen(known, id, at)) return 'seen';
    if (!this.#makeRoom()) return 'full';
    const sender = known ?? { ids: new Set(), parts: [], forgottenTo: -Infinity, notedAt: 0 };
    this.#senders.set(from, sender);
    this.#add(sender, id, at);
    return 'new';
  }

  #add(sender: Sender, id: string, at: number): void {
    const { lifeMs, most } = this.#limits;
    const now = this.#elapsed();
    let part = sender.parts.at(-1);
    if (part === undefined || part.count >= most / partsOfFull || now - part.begunAt >= lifeMs / partsOfLife) {
      part = { count: 0, begunAt: now, endedAt: now, newest: at };
      sender.parts.push(part);
    }
    part.count += 1;
    part.endedAt = now;
    part.newest = Math.max(part.newest, at);
    sender.ids.add(id);
    sender.notedAt = now;
    this.#count += 1;
  }

  /** False when nothing can be forgotten: each place is that of a sender. */
  #makeRoom(): boolean {
    while (this.#count + this.#senders.size >= this.#limits.most) {
      let largest: Sender | undefined;
      for (const sender of this.#senders.values()) if (sender.ids.size > (largest?.ids.size ?? 0)) largest = sender;
      if (largest === undefined) return false;
      this.#forgetOldest(largest);
    }
    return true;
  }

  #forgetOldest(sender: Sender): void {
    const part = sender.parts.shift();
    if (part === undefined) return;
    this.#count -= part.count;
    let left = part.count;
    for (const id of sender.ids) {
      if (left === 0) break;
      sender.ids.delete(id);
      left -= 1;
    }
    sender.forgottenTo = Math.max(sender.forgottenTo, part.newest + this.#limits.againMs);
  }

  /** Forgets what is old enough. */
  #sweep(): void {
    const { lifeMs } = this.#limits;
    const now = this.#elapsed();
    if (now - this.#sweptAt < lifeMs / partsOfLife) return;
    this.#sweptAt = now;
    for (const [name, sender] of this.#senders) {
      while (sender.parts[0] !== undefined && now - sender.parts[0].endedAt >= lifeMs) this.#forgetOldest(sender);
      if (now - sender.notedAt >= lifeMs) this.#senders.delete(name);
    }
  }
}

function isSeen({ ids, forgottenTo }: Sender, id: string, at: number): boolean {
  return at <= forgottenTo || ids.has(id);
}
