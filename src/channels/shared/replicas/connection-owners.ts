import { createHash } from 'node:crypto';
import type { Logger } from '../../../core/ports/logger.ts';
import { overBus } from '../../../core/ports/over-bus.ts';
import type { ReplicaBus } from '../../../core/ports/replica-bus.ts';
import { idPattern } from '../read-values.ts';

/** Milliseconds for which other replicas know a connection of a replica that has died. */
const ownedMs = 60_000;
/** Milliseconds between two looks for names that nobody needs any more. */
const lookMs = 5_000;

export interface ConnectionOwnersOptions {
  readonly bus: ReplicaBus;
  readonly log: Logger;
  /** Milliseconds after its opening for which a connection keeps its name, so that its token opens nothing else. */
  readonly tokenMs: number;
  /** Whether something of a connection is still here, although it has ended: its turn may go on. */
  readonly isNeeded: (connectionId: string) => boolean;
}

interface Held {
  readonly openedAt: number;
  isOwned: boolean;
  hasEnded: boolean;
}

/**
 * Which replica has which connection (contract/replicas.md#connections). A replica owns the names of its connections on the bus. A name is a
 * hash, because whoever has the id of an anonymous connection can use the connection.
 */
export class ConnectionOwners {
  readonly #options: ConnectionOwnersOptions;
  readonly #held = new Map<string, Held>();
  readonly #listeners: ((connectionId: string) => void)[] = [];
  #isClaiming = false;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(options: ConnectionOwnersOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#letGo();
      void this.#claimAgain();
    }, lookMs).unref();
    this.#stopListening = options.bus.onChange((isUp) => {
      if (isUp) void this.#claimAgain();
    });
  }

  get replica(): string {
    return this.#options.bus.replica;
  }

  /**
   * Makes this replica the owner of a connection. False when another replica is. While the bus is away, it is true: the name is claimed once
   * the bus is back, and `onTaken` tells if another replica has it by then. Never rejects.
   */
  async claim(connectionId: string): Promise<boolean> {
    const isOwned = await this.#own(connectionId);
    if (isOwned === false) return false;
    const openedAt = performance.now();
    this.#held.set(connectionId, { openedAt, isOwned: isOwned === true, hasEnded: false });
    return true;
  }

  /** The connection has ended. Its name is kept for as long as somebody may ask for it. */
  release(connectionId: string): void {
    const held = this.#held.get(connectionId);
    if (held !== undefined) held.hasEnded = true;
  }

  onTaken(listener: (connectionId: string) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * The other replica that has a connection which is not here. Undefined when no other replica has it. With `orHint`, a connection without an
   * owner may be at the replica whose id its own id begins with.
   * @throws HelperError `cluster_unavailable`.
   */
  async ownerOf(
    connectionId: string,
    { orHint = false }: { readonly orHint?: boolean } = {},
  ): Promise<string | undefined> {
    if (!idPattern.test(connectionId)) return undefined;
    const { bus } = this.#options;
    const known = await overBus(() => bus.ownerOf(nameOf(connectionId)));
    const owner = known ?? (orHint ? hintOf(connectionId) : undefined);
    return owner === bus.replica ? undefined : owner;
  }

  /** The other replica that has made an id; undefined for an id of this replica. */
  negotiatorOf(connectionId: string): string | undefined {
    const hint = hintOf(connectionId);
    return hint === this.replica ? undefined : hint;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stopListening();
  }

  /** Undefined when nobody knows. */
  async #own(connectionId: string): Promise<boolean | undefined> {
    try {
      return await this.#options.bus.own(nameOf(connectionId), ownedMs);
    } catch (error) {
      this.#options.log.debug({ error }, 'a connection is not known to the other replicas yet');
      return undefined;
    }
  }

  /** Claims what could not be claimed before. One run at a time, because the bus takes a second claim for that of somebody else. */
  async #claimAgain(): Promise<void> {
    if (this.#isClaiming || !this.#options.bus.isUp) return;
    this.#isClaiming = true;
    try {
      for (const [connectionId, held] of this.#held) {
        if (!held.isOwned && !held.hasEnded) await this.#claimLate(connectionId, held);
      }
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claimLate(connectionId: string, held: Held): Promise<void> {
    const isOwned = await this.#own(connectionId);
    if (isOwned === undefined) return;
    held.isOwned = isOwned;
    if (isOwned) return;
    this.#held.delete(connectionId);
    for (const listener of this.#listeners) listener(connectionId);
  }

  #letGo(): void {
    const { bus, tokenMs, isNeeded } = this.#options;
    const now = performance.now();
    for (const [connectionId, { openedAt, hasEnded }] of this.#held) {
      if (!hasEnded || this.#isClaiming || now - openedAt < tokenMs || isNeeded(connectionId)) continue;
      this.#held.delete(connectionId);
      void bus.disown(nameOf(connectionId));
    }
  }
}

function nameOf(connectionId: string): string {
  return `connection:${createHash('sha256').update(connectionId).digest('base64url')}`;
}

/** The replica that has made an id. */
function hintOf(connectionId: string): string | undefined {
  return /^([a-z2-7]{8})\./.exec(connectionId)?.[1];
}
