import type { Place } from '../connection/connection-places.ts';
import type { HubLimits } from '../hub-limits.ts';
import type { HubRefusal } from '../requests.ts';

export interface EarlyPostsOptions {
  readonly limits: Pick<HubLimits, 'maxEarlyBytes' | 'maxEarlyBytesInAll'>;
  /** Milliseconds for which posts are kept for their connection. */
  readonly lifetimeMs: number;
}

interface KeptPosts {
  readonly chunks: Buffer[];
  bytes: number;
  /** The place that is reserved for the connection. */
  readonly place: Place;
  readonly expiry: NodeJS.Timeout;
}

const tooLarge: HubRefusal = { status: 413, text: 'Too much was sent before the connection was opened.' };
const tooMany: HubRefusal = { status: 503, text: 'Too much waits for connections to be opened. Try again.' };

/**
 * The bytes that clients post before the GET that opens their connection, as Python's signalrcore does with its handshake. Their bytes and
 * their time are limited. Each connection holds a place, so their number is limited too.
 */
export class EarlyPosts {
  readonly #options: EarlyPostsOptions;
  readonly #kept = new Map<string, KeptPosts>();
  #bytesInAll = 0;

  constructor(options: EarlyPostsOptions) {
    this.#options = options;
  }

  /** Keeps bytes for a connection. The first bytes of a connection take a place with `takePlace`. */
  keep(connectionId: string, bytes: Buffer, takePlace: () => Place | HubRefusal): HubRefusal | undefined {
    const { limits } = this.#options;
    const earlier = this.#kept.get(connectionId);
    if ((earlier?.bytes ?? 0) + bytes.length > limits.maxEarlyBytes) return tooLarge;
    if (this.#bytesInAll + bytes.length > limits.maxEarlyBytesInAll) return tooMany;
    const kept = earlier ?? this.#begin(connectionId, takePlace());
    if ('status' in kept) return kept;
    // A copy: what was read may be a small part of a large buffer.
    kept.chunks.push(Buffer.from(bytes));
    kept.bytes += bytes.length;
    this.#bytesInAll += bytes.length;
    return undefined;
  }

  /** Hands out what was posted for a connection, in order, and gives its place back. */
  take(connectionId: string): readonly Buffer[] {
    const kept = this.#kept.get(connectionId);
    if (kept === undefined) return [];
    clearTimeout(kept.expiry);
    this.#kept.delete(connectionId);
    this.#bytesInAll -= kept.bytes;
    kept.place.release();
    return kept.chunks;
  }

  #begin(connectionId: string, place: Place | HubRefusal): KeptPosts | HubRefusal {
    if ('status' in place) return place;
    const expiry = setTimeout(() => this.take(connectionId), this.#options.lifetimeMs).unref();
    const kept = { chunks: [], bytes: 0, place, expiry };
    this.#kept.set(connectionId, kept);
    return kept;
  }
}
