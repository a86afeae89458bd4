import { errors, type JWTVerifyGetKey } from 'jose';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { readKeySet } from './key-set.ts';
import type { KeySetSource } from './key-set-source.ts';

/** Milliseconds between two reads that tokens with an unknown key may cause (contract/identity.md#tokens: once a minute). */
const cooldownMs = 60_000;
/** Milliseconds after which the keys are read again, so that a key which the issuer has withdrawn stops being used. */
const maxAgeMs = 10 * 60_000;
/**
 * Milliseconds until the server tries again while it has no keys at all. The wait doubles each time, up to the
 * cooldown.
 */
const firstRetryMs = 5000;

/** The issuer's keys could not be read, and there are no earlier ones. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

export interface RemoteKeysOptions {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'issuerFailed'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * The keys of an issuer (contract/identity.md#tokens). The keys are cached. A token with an unknown key causes a read at most once a
 * minute. While the issuer is down, the cached keys stay in use. While the server has no keys at all, only its own timer asks the issuer,
 * so tokens of strangers cause no requests.
 */
export class RemoteKeys {
  readonly #source: KeySetSource;
  readonly #log: Logger;
  readonly #metrics: Pick<Metrics, 'issuerFailed'>;
  readonly #now: () => number;
  #keys: JWTVerifyGetKey | undefined;
  #issuers: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #retryMs = firstRetryMs;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(source: KeySetSource, options: RemoteKeysOptions) {
    this.#source = source;
    this.#log = options.log;
    this.#metrics = options.metrics;
    this.#now = options.now;
  }

  /** Finds the key that a token names. `jwtVerify` calls this function. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#keys === undefined) await this.#read(cooldownMs);
    // The old keys still serve, so no request waits for the new ones.
    else if (this.#now() - this.#readAt >= maxAgeMs) void this.#read(cooldownMs);
    const known = this.#keys;
    if (known === undefined) throw new KeysUnavailable("the issuer's keys cannot be read");
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#read(cooldownMs);
      const current = this.#keys;
      if (current === undefined || current === known) throw error;
      return current(header, token);
    }
  };

  /** Further names by which tokens may call the issuer, as it said with its keys. */
  get issuers(): readonly string[] {
    return this.#issuers;
  }

  /** Ends the retries of the server's own timer. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  /** Reads the keys, unless a read was tried less than `pauseMs` ago. Never rejects: after a failure the earlier keys stay. */
  #read(pauseMs: number): Promise<void> {
    if (this.#reading !== undefined) return this.#reading;
    if (this.#now() - this.#attemptedAt < pauseMs) return Promise.resolve();
    this.#attemptedAt = this.#now();
    this.#reading = this.#source()
      .then(({ keySet, issuers }) => {
        const { find, usable, leftOut } = readKeySet(keySet);
        if (usable === 0)
          this.#log.warn({ leftOut }, 'the token issuer publishes no key that signs tokens: all are refused');
        this.#keys = find;
        this.#issuers = issuers;
        this.#readAt = this.#now();
      })
      .catch((error: unknown) => {
        this.#metrics.issuerFailed();
        const stale = this.#keys === undefined ? 'no token can be checked' : 'the earlier ones stay in use';
        this.#log.warn({ error }, `the keys of the token issuer could not be read; ${stale}`);
        if (this.#keys === undefined && !this.#closed) this.#retryLater();
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      void this.#read(0);
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, cooldownMs);
  }
}
