import { isAbsolute } from 'node:path';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ReplicaBus } from '../../core/ports/replica-bus.ts';
import type { Resource } from '../open-resources.ts';
import type { Reloader, ReloadResult } from '../reload/reloader.ts';
import { LookAgain, WatchedFile } from '../reload/watched-file.ts';

/** The kind of the news. */
const kind = 'reload';

/** Milliseconds for which a replica whose file has not changed yet waits for it: mounted files reach the machines one after the other. */
const fileMs = 3 * 60_000;

interface SharedReloadParts {
  readonly bus: Pick<ReplicaBus, 'tell' | 'onTold' | 'onChange'>;
  readonly reloader: Pick<Reloader, 'reload' | 'settings'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/**
 * Has all replicas read their configuration again when one of them was asked to (contract/replicas.md#news). Each reads its own file. A
 * replica that comes back learns what it has missed: it tells when the last reload was that it knows of, and whoever knows of a later one
 * answers.
 */
export class SharedReload implements Resource {
  readonly name = 'reload of replicas';
  readonly #parts: SharedReloadParts;
  readonly #leave: () => void;
  /** When the last reload was asked for, on whichever replica, in epoch milliseconds. */
  #askedAt = 0;
  #changing: { readonly looks: readonly Resource[]; readonly timer: NodeJS.Timeout } | undefined;
  #isClosed = false;

  constructor(parts: SharedReloadParts) {
    this.#parts = parts;
    parts.bus.onTold(kind, (body, replica) => {
      const at = timeIn(body);
      if (at !== undefined && !this.#isClosed) void this.#told(at, replica);
    });
    this.#leave = parts.bus.onChange((isUp) => {
      if (isUp) void this.#tell();
    });
  }

  /** Reads the configuration again, here and on all other replicas. @throws as `Reloader.reload`: then no other replica is told. */
  async reload(): Promise<ReloadResult> {
    const { reloader, clock } = this.#parts;
    const result = await reloader.reload();
    this.#askedAt = Math.max(clock.now(), this.#askedAt + 1);
    await this.#tell();
    return result;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    this.#stopWaiting();
    return Promise.resolve();
  }

  /** Tells of the last reload. While the bus is away, that waits until it is back. */
  async #tell(): Promise<void> {
    await this.#parts.bus.tell(kind, { at: this.#askedAt }).catch(() => undefined);
  }

  async #told(at: number, replica: string): Promise<void> {
    if (at < this.#askedAt) await this.#tell();
    if (at <= this.#askedAt) return;
    this.#askedAt = at;
    this.#parts.log.info({ replica }, 'another replica was asked to read its configuration again');
    const result = await this.#readAgain();
    if (result?.taken.length === 0 && result.left.length === 0) this.#waitForFile();
  }

  /** Undefined when the file has faults. The reloader has logged them, and nothing has changed here. */
  #readAgain(): Promise<ReloadResult | undefined> {
    return this.#parts.reloader.reload().catch(() => undefined);
  }

  /** Reads the configuration once its file changes, unless that takes too long. */
  #waitForFile(): void {
    const { configFile } = this.#parts.reloader.settings;
    this.#stopWaiting();
    if (this.#isClosed || !isAbsolute(configFile)) return;
    const watch = new WatchedFile('configuration of replicas', configFile, () => {
      this.#stopWaiting();
      void this.#readAgain();
    });
    // The file may have changed since it was read and before the watch has begun.
    const again = new LookAgain('configuration of replicas before the watch', () => void this.#lookAgain());
    const stop = (): void => this.#stopWaiting();
    this.#changing = { looks: [watch, again], timer: setTimeout(stop, fileMs).unref() };
  }

  async #lookAgain(): Promise<void> {
    const waiting = this.#changing;
    const result = await this.#readAgain();
    if (result !== undefined && result.taken.length > 0 && this.#changing === waiting) this.#stopWaiting();
  }

  #stopWaiting(): void {
    clearTimeout(this.#changing?.timer);
    for (const look of this.#changing?.looks ?? []) void look.close();
    this.#changing = undefined;
  }
}

/** The time in what another replica has told. */
function timeIn(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('at' in body)) return undefined;
  return Number.isSafeInteger(body.at) ? Number(body.at) : undefined;
}
