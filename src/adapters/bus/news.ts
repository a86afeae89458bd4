import type { Logger } from '../../core/ports/logger.ts';
import type { BusNews } from '../../core/ports/replica-bus.ts';
import { clocksApartMs } from '../../core/replicas/clocks-apart.ts';
import { seenLimits } from './bus-limits.ts';
import type { BusLine } from './messages/bus-line.ts';
import type { BusMessage } from './messages/bus-message.ts';
import type { DroppedMessages } from './messages/dropped-messages.ts';
import { SeenIds } from './messages/seen-ids.ts';

/**
 * News that are older than this replica by more milliseconds than this are not for it. The clocks of two replicas may be apart,
 * so news of a replica whose clock is behind look older than they are. Somebody who can write to the carrier may make a replica hear news
 * again that are a little older than it is; news only say where to look, so that does nothing.
 */
const slackMs = clocksApartMs + 5_000;

/** Hears the news of other replicas, each once. */
export class News {
  readonly #line: BusLine;
  readonly #log: Logger;
  readonly #dropped: DroppedMessages;
  readonly #listeners = new Map<string, BusNews[]>();
  readonly #seen: SeenIds;
  readonly #startedAt: number;

  constructor(line: BusLine, log: Logger, dropped: DroppedMessages) {
    this.#line = line;
    this.#log = log;
    this.#dropped = dropped;
    this.#seen = new SeenIds(seenLimits, () => line.clock.elapsed());
    this.#startedAt = line.clock.now();
  }

  register(kind: string, listener: BusNews): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  take(message: BusMessage<'news'>): void {
    // A replica that has just started remembers nothing of what others have heard before.
    if (message.at < this.#startedAt - slackMs) {
      this.#dropped.drop('untimely');
      return;
    }
    const noted = this.#seen.note(message);
    if (noted === 'new') void this.#tell(message);
    else this.#dropped.drop(noted === 'seen' ? 'replayed' : 'overloaded');
  }

  async #tell(message: BusMessage<'news'>): Promise<void> {
    const { kind, from } = message;
    const listeners = this.#listeners.get(kind) ?? [];
    try {
      const body = listeners.length === 0 ? null : await this.#line.bodyOf(message);
      for (const listener of listeners) listener(body, from);
    } catch (error) {
      this.#log.error({ error, kind }, 'news of another replica could not be taken in');
    }
  }
}
